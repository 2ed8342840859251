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

// dlopen with the sibling library loaded first: libcublas needs it, and a wheel's folder is not on the
// loader's path.
void* open(const std::string& name) {
  const size_t slash = name.rfind('/');
  if (slash != std::string::npos)
    dlopen((name.substr(0, slash + 1) + with_version("libcublasLt")).c_str(), RTLD_NOW | RTLD_GLOBAL);
  return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

Library load() {
  std::string tried;
  for (const std::string& name : candidates()) {
    void* handle = open(name);
    if (!handle) {
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

const Library& library() {
  static const Library l = load();  // a static whose initialiser throws is tried again
  return l;
}

}  // namespace gb::cuda::cublas
