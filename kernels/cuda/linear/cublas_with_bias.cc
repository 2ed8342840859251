#include "kernels/cuda/linear/cublas_with_bias.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "core/device_hooks.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda::cublas {
namespace {

constexpr size_t kWorkspace = size_t{32} << 20;  // what NVIDIA advises for Hopper

cublasLtHandle_t lt_handle() {
  thread_local std::map<int, cublasLtHandle_t> handles;  // as in cublas.cc
  cublasLtHandle_t& h = handles[current_device()];
  if (!h) check(library().lt_create(&h), "cublasLtCreate");
  return h;
}

cublasLtMatrixLayout_t layout_of(cudaDataType type, int64_t rows, int64_t cols, int64_t leading) {
  cublasLtMatrixLayout_t layout;
  check(library().lt_layout_create(&layout, type, static_cast<uint64_t>(rows), static_cast<uint64_t>(cols), leading),
        "cublasLtMatrixLayoutCreate");
  return layout;
}

// The largest power of two, up to 256, that divides the address.
int64_t alignment_of(const void* data) {
  int64_t alignment = 256;
  while (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(alignment) != 0) alignment /= 2;
  return alignment;
}

// All that cublasLt wants to know of a product but its pointers; kept, for asking it for an algorithm takes longer than
// a small product. `first` is b and `second` a: d^T = b^T a^T.
struct Plan {
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t first, second, result;
  cublasLtMatmulAlgo_t algorithm;
  size_t workspace;  // bytes that the algorithm needs; often none
};

template <class Value>
void set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute, Value value) {
  check(library().lt_desc_set(desc, attribute, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
}
template <class Value>
void set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute, Value value) {
  check(library().lt_preference_set(preference, attribute, &value, sizeof value),
        "cublasLtMatmulPreferenceSetAttribute");
}

std::optional<Plan> make_plan(const GemmArgs& g, const Operand& a, const Operand& b, int64_t ldd) {
  const Library& lib = library();
  const cudaDataType type = type_of(g.dtype);
  Plan plan = {};
  check(lib.lt_desc_create(&plan.desc, g.allow_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
  set(plan.desc, CUBLASLT_MATMUL_DESC_TRANSA, b.op);
  set(plan.desc, CUBLASLT_MATMUL_DESC_TRANSB, a.op);
  set(plan.desc, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  set(plan.desc, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, type);
  set(plan.desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, g.c.data);
  const bool b_as_is = b.op == CUBLAS_OP_N, a_as_is = a.op == CUBLAS_OP_N;
  plan.first = layout_of(type, b_as_is ? g.n : g.k, b_as_is ? g.k : g.n, b.leading);
  plan.second = layout_of(type, a_as_is ? g.k : g.m, a_as_is ? g.m : g.k, a.leading);
  plan.result = layout_of(type, g.n, g.m, ldd);

  cublasLtMatmulPreference_t preference;
  check(lib.lt_preference_create(&preference), "cublasLtMatmulPreferenceCreate");
  set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspace);
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, static_cast<uint32_t>(alignment_of(g.b.data)));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, static_cast<uint32_t>(alignment_of(g.a.data)));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, static_cast<uint32_t>(alignment_of(g.d.data)));
  cublasLtMatmulHeuristicResult_t found = {};
  int count = 0;
  const cublasStatus_t status = lib.lt_heuristic(lt_handle(), plan.desc, plan.first, plan.second, plan.result,
                                                 plan.result, preference, 1, &found, &count);
  check(lib.lt_preference_destroy(preference), "cublasLtMatmulPreferenceDestroy");
  if (status != CUBLAS_STATUS_SUCCESS || count == 0) return std::nullopt;
  plan.algorithm = found.algo;
  plan.workspace = found.workspaceSize;
  return plan;
}

// One per kind of product and thread, kept to the end of the program; a program has some dozens of them.
const std::optional<Plan>& plan_for(const GemmArgs& g, const Operand& a, const Operand& b, int64_t ldd) {
  using Key = std::array<int64_t, 14>;
  thread_local std::map<Key, std::optional<Plan>> plans;
  const Key key{current_device(), static_cast<int64_t>(g.dtype), g.m,       g.n,
                g.k,              a.op,                          a.leading, b.op,
                b.leading,        ldd,                           alignment_of(g.a.data), alignment_of(g.b.data),
                alignment_of(g.d.data), g.allow_tf32};
  auto found = plans.find(key);
  if (found == plans.end()) found = plans.emplace(key, make_plan(g, a, b, ldd)).first;
  return found->second;
}

}  // namespace

bool gemm_with_bias(const GemmArgs& g, const Operand& a, const Operand& b, int64_t ldd, StreamHandle stream) {
  const bool one_row = g.beta == 1 && g.batch == 1 && (g.c.row_stride == 0 || g.m == 1) &&
                       (g.c.col_stride == 1 || g.n == 1) && g.c.data != g.d.data;
  if (!one_row || g.dtype == kDouble || alignment_of(g.c.data) < 16) return false;
  const std::optional<Plan>& plan = plan_for(g, a, b, ldd);
  if (!plan) return false;
  set(plan->desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, g.c.data);
  const float alpha = static_cast<float>(g.alpha), beta = 0;
  // Given back at the end of this function: the next to get it is work of the same stream, which comes later.
  const DataPtr workspace = allocator_for(Device(kCUDA, static_cast<DeviceIndex>(current_device())))->allocate(plan->workspace);
  check(library().lt_matmul(lt_handle(), plan->desc, &alpha, g.b.data, plan->first, g.a.data, plan->second, &beta,
                            g.d.data, plan->result, g.d.data, plan->result, &plan->algorithm, workspace.get(),
                            plan->workspace, stream),
        "cublasLtMatmul");
  return true;
}

}  // namespace gb::cuda::cublas
