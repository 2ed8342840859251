#include "kernels/cuda/linear/gemm.h"

#include <iterator>

#include "kernels/cuda/errors.h"
#include "kernels/cuda/linear/rungs.h"
#ifdef GB_WITH_CUBLAS  // builds with the toolkit; the host build has no cuBLAS to offer
#include "kernels/cuda/linear/cublas.h"
#endif

namespace gb::cuda {
namespace {

bool takes_all(const GemmArgs&) { return true; }

constexpr GemmRung kRungs[] = {
    {"01_naive", "kernels/cuda/linear/01_naive.cu", linear_01_naive::gemm, takes_all, true},
    {"02_coalesced", "kernels/cuda/linear/02_coalesced.cu", linear_02_coalesced::gemm, linear_02_coalesced::takes, true},
    {"03_shared_tile", "kernels/cuda/linear/03_shared_tile.cu", linear_03_shared_tile::gemm, takes_all, true},
    {"04_register_column", "kernels/cuda/linear/04_register_column.cu", linear_04_register_column::gemm, takes_all, true},
    {"05_register_tile", "kernels/cuda/linear/05_register_tile.cu", linear_05_register_tile::gemm, takes_all, true},
    {"06_vector_loads", "kernels/cuda/linear/06_vector_loads.cu", linear_06_vector_loads::gemm,
     linear_06_vector_loads::takes, true},
    {"07_double_buffer", "kernels/cuda/linear/07_double_buffer.cu", linear_07_double_buffer::gemm,
     linear_07_double_buffer::takes, true},
    {"08_warp_tile", "kernels/cuda/linear/08_warp_tile.cu", linear_08_warp_tile::gemm, linear_08_warp_tile::takes, true},
    {"09_mma_sync", "kernels/cuda/linear/09_mma_sync.cu", linear_09_mma_sync::gemm, linear_09_mma_sync::takes, true},

    // Hopper's instructions (kernels/cuda/instructions)
    {"10_wgmma", "kernels/cuda/linear/10_wgmma.cu", linear_10_wgmma::gemm, linear_10_wgmma::takes, true},
    {"11_producer_consumer", "kernels/cuda/linear/11_producer_consumer.cu", linear_11_producer_consumer::gemm,
     linear_11_producer_consumer::takes, true},
    {"12_persistent", "kernels/cuda/linear/12_persistent.cu", linear_12_persistent::gemm, linear_12_persistent::takes,
     true},
    {"13_tma_store", "kernels/cuda/linear/13_tma_store.cu", linear_13_tma_store::gemm, linear_13_tma_store::takes, true},
    {"14_3xtf32", "kernels/cuda/linear/14_3xtf32.cu", linear_14_3xtf32::gemm, linear_14_3xtf32::takes, true},
    {"15_split_k", "kernels/cuda/linear/15_split_k.cu", linear_15_split_k::gemm, linear_15_split_k::takes, true},
#ifdef GB_WITH_CUBLAS
    {"cublas", "kernels/cuda/linear/cublas.cc", cublas::gemm, cublas::takes, false},
#endif
};

constexpr size_t kCoalesced = 2, kTmaStore = 13, kSplitK = 15;  // their numbers

[[maybe_unused]] const bool g_attached = linear_choice().attach(linear_rungs());

// The lowest rung takes everything.
size_t first_that_takes(const GemmArgs& args, size_t number) {
  while (!kRungs[number - 1].takes(args)) --number;
  return number;
}

// The products in which rung 13 was measured to be as fast as cuBLAS, within 3 % (bench/results/cuda.md, linear): in half
// types what gives all multiprocessors enough to do, and of TF32's the one that cuBLAS is weak in, with a along m: a
// weight's gradient, if turning a does not take too long. A c that is no bias was not measured.
[[maybe_unused]] bool as_fast_as_cublas(const GemmArgs& args) {
  const bool half = args.dtype == kHalf || args.dtype == kBFloat16, tf32 = args.dtype == kFloat && args.allow_tf32;
  const bool kind = half || (tf32 && args.a.col_stride != 1 && args.m <= 16384);
  const bool bias = args.beta == 0 || args.c.row_stride == 0;
  return kind && bias && linear_13_tma_store::fills_device(args) && linear_13_tma_store::takes(args);
}

size_t best(const GemmArgs& args) {
#ifdef GB_WITH_CUBLAS
  static const bool has_cublas = cublas::is_available();  // looked for once
  if (has_cublas && cublas::takes(args)) return as_fast_as_cublas(args) ? kTmaStore : std::size(kRungs);
#endif
  // [anchor: best]
  // A warp per element where a tile would be mostly empty (a matrix times a few vectors), or would be all there is for
  // the whole device. Else 15 where there are few tiles, and then the highest from 13 on that takes the call: tensor
  // cores, tiles of warps for float, and what takes everything. Float without allow_tf32 never gets 14 by itself, which
  // makes NaN of infinities. The bounds are estimates.
  const bool thin = args.m <= 4 || args.n <= 4;
  const bool small = args.batch * args.m * args.n <= 8192 && args.k <= 1024;
  if ((thin || small) && kRungs[kCoalesced - 1].takes(args)) return kCoalesced;
  return kRungs[kSplitK - 1].takes(args) ? kSplitK : first_that_takes(args, kTmaStore);
}

}  // namespace

Ladder<GemmRung> linear_rungs() { return kRungs; }

size_t linear_rung_for(const GemmArgs& args) {
  const size_t number = linear_choice().number();
  return number ? first_that_takes(args, number) : best(args);
}

void gemm(const GemmArgs& args, StreamHandle stream) {
  if (!isFloatingType(args.dtype)) throw_no_kernel("addmm", args.dtype);
  if (args.batch == 0 || args.m == 0 || args.n == 0) return;
  kRungs[linear_rung_for(args) - 1].run(args, stream);
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
