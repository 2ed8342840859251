#include "kernels/cuda/linear/cublas_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <glob.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "core/error.h"

namespace gb::cuda::cublas {
namespace {

std::string with_version(const char* name) { return fmt::format("{}.so.{}", name, CUBLAS_VER_MAJOR); }

std::vector<std::string> matches(const std::string& pattern) {
  glob_t found = {};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

// Where to look, as names for dlopen.
std::vector<std::string> candidates() {
  if (const char* chosen = std::getenv("GB_CUBLAS"); chosen && *chosen) return {chosen};
  const std::string file = with_version("libcublas");
  std::vector<std::string> names = {file};
  std::vector<std::string> toolkits = {"/usr/local/cuda", "/opt/glassbox/cuda-13.0"};
  if (const char* cuda_path = std::getenv("CUDA_PATH")) toolkits.insert(toolkits.begin(), cuda_path);
  for (const std::string& root : toolkits)
    for (const char* lib : {"lib64", "lib"})
      for (std::string& path : matches(fmt::format("{}/{}/{}", root, lib, file)))
        names.push_back(std::move(path));
  const char* path_variable = std::getenv("PATH");
  std::istringstream folders(path_variable ? path_variable : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (matches(folder + "/python3").empty()) continue;
    for (const char* packages : {"site-packages", "dist-packages"})
      for (std::string& path : matches(fmt::format("{}/../lib/python3*/{}/nvidia/cu{}/lib/{}", folder,
                                                   packages, CUBLAS_VER_MAJOR, file)))
        names.push_back(std::move(path));
  }
  return names;
}

template <class Function>
void find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  GB_CHECK_OR_THROW(function, NotImplementedError, .what = "cuBLAS lacks a function", .cause = dlerror(),
                    .repair = fmt::format("set GB_CUBLAS to a libcublas.so.{} of CUDA {}", CUBLAS_VER_MAJOR,
                                          CUBLAS_VER_MAJOR),
                    .chapter = chapters::kKernels);
}

// The library that libcublas needs, of the same folder: where that is not on the loader's path (a wheel's), it has to
// be loaded first.
void* open_sibling(const std::string& name) {
  const size_t slash = name.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : name.substr(0, slash + 1);
  return dlopen((folder + with_version("libcublasLt")).c_str(), RTLD_NOW | RTLD_GLOBAL);
}

void find_lt(void* handle, Library& l) {
  find(handle, "cublasLtCreate", l.lt_create);
  find(handle, "cublasLtMatmulDescCreate", l.lt_desc_create);
  find(handle, "cublasLtMatmulDescSetAttribute", l.lt_desc_set);
  find(handle, "cublasLtMatrixLayoutCreate", l.lt_layout_create);
  find(handle, "cublasLtMatmulPreferenceCreate", l.lt_preference_create);
  find(handle, "cublasLtMatmulPreferenceSetAttribute", l.lt_preference_set);
  find(handle, "cublasLtMatmulPreferenceDestroy", l.lt_preference_destroy);
  find(handle, "cublasLtMatmulAlgoGetHeuristic", l.lt_heuristic);
  find(handle, "cublasLtMatmul", l.lt_matmul);
}

Library load() {
  std::string tried;
  for (const std::string& name : candidates()) {
    void* const sibling = open_sibling(name);
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle || !sibling) {
      const char* reason = dlerror();
      tried += fmt::format("{}{} ({})", tried.empty() ? "" : "; ", name, reason ? reason : "unknown reason");
      continue;
    }
    Library l;
    l.path = name;
    find(handle, "cublasCreate_v2", l.create);
    find(handle, "cublasSetStream_v2", l.set_stream);
    find(handle, "cublasGemmEx_64", l.gemm_ex);
    find(handle, "cublasGemmStridedBatchedEx_64", l.gemm_strided_batched_ex);
    find(handle, "cublasGetStatusName", l.status_name);
    find_lt(sibling, l);
    return l;
  }
  GB_THROW(NotImplementedError, .what = "cuBLAS is not there",
           .cause = fmt::format("could not load any of: {}", tried),
           .repair = fmt::format(
               "set GB_CUBLAS to the path of a libcublas.so.{} (for example .../site-packages/nvidia/"
               "cu{}/lib/libcublas.so.{}), or choose another rung with GB_LINEAR_RUNG",
               CUBLAS_VER_MAJOR, CUBLAS_VER_MAJOR, CUBLAS_VER_MAJOR),
           .chapter = chapters::kKernels);
}

}  // namespace

void check(cublasStatus_t status, const char* call) {
  GB_CHECK_OR_THROW(status == CUBLAS_STATUS_SUCCESS, Error,
                    .what = fmt::format("cuBLAS error: {}", library().status_name(status)),
                    .cause = fmt::format("{} answered {}", call, static_cast<int>(status)),
                    .repair =
                        "CUBLAS_LOGINFO_DBG=1 CUBLAS_LOGDEST_DBG=stderr shows cuBLAS's own log; "
                        "GB_LINEAR_RUNG=01_naive does without it",
                    .chapter = chapters::kKernels);
}

const Library& library() {
  static const Library l = load();  // a static whose initialiser throws is tried again
  return l;
}

}  // namespace gb::cuda::cublas
