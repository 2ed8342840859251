#include "kernels/cuda/linear/gemm.h"

#include <iterator>

#include "kernels/cuda/linear/rungs.h"
#ifdef GB_WITH_CUBLAS  // builds with the toolkit; the host build has no cuBLAS to offer
#include "kernels/cuda/linear/cublas.h"
#endif

namespace gb::cuda {
namespace {

constexpr GemmRung kRungs[] = {
    {"01_naive", "kernels/cuda/linear/01_naive.cu", linear_01_naive::gemm, true},
#ifdef GB_WITH_CUBLAS
    {"cublas", "kernels/cuda/linear/cublas.cc", cublas::gemm, false},
#endif
};
constexpr size_t kHighestOfOurs = 1;  // counted from 1

[[maybe_unused]] const bool g_attached = linear_choice().attach(linear_rungs());

// cuBLAS, if it is there; it is looked for once. Counted from 1, too.
size_t default_rung() {
#ifdef GB_WITH_CUBLAS
  static const bool has_cublas = cublas::is_available();
  if (has_cublas) return std::size(kRungs);
#endif
  return kHighestOfOurs;
}

}  // namespace

Ladder<GemmRung> linear_rungs() { return kRungs; }

void gemm(const GemmArgs& args, StreamHandle stream) {
  const size_t number = linear_choice().number();
  kRungs[(number ? number : default_rung()) - 1].run(args, stream);
}

void linear(ScalarType dtype, void* y, const void* x, const void* weight, const void* bias, int64_t rows,
            int64_t in_features, int64_t out_features, StreamHandle stream) {
  GemmArgs args;
  args.dtype = dtype;
  args.m = rows;
  args.n = out_features;
  args.k = in_features;
  args.a = {x, in_features, 1};
  args.b = {weight, 1, in_features};  // W is [out, in]; exchanged strides make it W^T, [in, out]
  args.beta = bias ? 1 : 0;
  args.c = {bias, 0, 1};  // row stride 0: every row of the result adds the same bias
  args.d = {y, out_features, 1};
  gemm(args, stream);
}

}  // namespace gb::cuda
