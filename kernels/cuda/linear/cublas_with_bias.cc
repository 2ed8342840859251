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

cublasLtHandle_t lt_handle(int device) {
  thread_local std::array<cublasLtHandle_t, kMaxDevices> handles;  // as in cublas.cc
  cublasLtHandle_t& h = handles[static_cast<size_t>(device)];
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
  const uint64_t bits = reinterpret_cast<uintptr_t>(data) | 256;
  return static_cast<int64_t>(bits & (~bits + 1));  // its lowest one
}

// All that cublasLt wants to know of a product but its pointers; kept, for asking it for an algorithm takes longer than
// a small product. `first` is b and `second` a: d^T = b^T a^T.
struct Plan {
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t first, second, result;
  cublasLtMatmulAlgo_t algorithm;
  size_t workspace;  // bytes that the algorithm needs; often none
  const void* bias;  // what desc points to
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

std::optional<Plan> make_plan(int device, const GemmArgs& g, const Operand& a, const Operand& b, int64_t ldd) {
  const Library& lib = library();
  const cudaDataType type = type_of(g.dtype);
  Plan plan = {};
  check(lib.lt_desc_create(&plan.desc, g.allow_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
  set(plan.desc, CUBLASLT_MATMUL_DESC_TRANSA, b.op);
  set(plan.desc, CUBLASLT_MATMUL_DESC_TRANSB, a.op);
  set(plan.desc, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  set(plan.desc, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, type);
  set(plan.desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, g.c.data);
  plan.bias = g.c.data;
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
  const cublasStatus_t status = lib.lt_heuristic(lt_handle(device), plan.desc, plan.first, plan.second,
                                                 plan.result, plan.result, preference, 1, &found, &count);
  check(lib.lt_preference_destroy(preference), "cublasLtMatmulPreferenceDestroy");
  if (status != CUBLAS_STATUS_SUCCESS || count == 0) return std::nullopt;
  plan.algorithm = found.algo;
  plan.workspace = found.workspaceSize;
  return plan;
}

// One per kind of product and thread, kept to the end of the program; a program has some dozens of them. Programs repeat
// themselves: the kind of the last call is looked at first.
std::optional<Plan>& plan_for(int device, const GemmArgs& g, const Operand& a, const Operand& b, int64_t ldd) {
  using Key = std::array<int64_t, 14>;
  using Plans = std::map<Key, std::optional<Plan>>;
  thread_local Plans plans;
  thread_local Plans::iterator last = plans.end();
  const Key key{device, static_cast<int64_t>(g.dtype), g.m,       g.n,
                g.k,    a.op,                          a.leading, b.op,
                b.leading, ldd, alignment_of(g.a.data), alignment_of(g.b.data),
                alignment_of(g.d.data), g.allow_tf32};
  if (last != plans.end() && last->first == key) return last->second;
  last = plans.find(key);
  if (last == plans.end()) last = plans.emplace(key, make_plan(device, g, a, b, ldd)).first;
  return last->second;
}

}  // namespace

bool gemm_with_bias(const GemmArgs& g, const Operand& a, const Operand& b, int64_t ldd, StreamHandle stream) {
  const bool one_row = g.beta == 1 && g.batch == 1 && (g.c.row_stride == 0 || g.m == 1) &&
                       (g.c.col_stride == 1 || g.n == 1) && g.c.data != g.d.data;
  if (!one_row || g.dtype == kDouble || alignment_of(g.c.data) < 16) return false;
  const int device = current_device();
  std::optional<Plan>& plan = plan_for(device, g, a, b, ldd);
  if (!plan) return false;
  if (plan->bias != g.c.data) set(plan->desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, plan->bias = g.c.data);
  const float alpha = static_cast<float>(g.alpha), beta = 0;
  // Given back at the end of this function: the next to get it is work of the same stream, which comes later.
  DataPtr workspace;
  if (plan->workspace > 0)
    workspace = allocator_for(Device(kCUDA, static_cast<DeviceIndex>(device)))->allocate(plan->workspace);
  check(library().lt_matmul(lt_handle(device), plan->desc, &alpha, g.b.data, plan->first, g.a.data, plan->second, &beta,
                            g.d.data, plan->result, g.d.data, plan->result, &plan->algorithm, workspace.get(),
                            plan->workspace, stream),
        "cublasLtMatmul");
  return true;
}

}  // namespace gb::cuda::cublas
