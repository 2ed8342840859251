// Linear, rung 2: coalesced reads. Changed: a warp per element of d, whose lanes walk along k together.
//
// A warp's load is served in pieces of 32 bytes. In y = x W^T every line of both operands lies in one piece, and
// rung 1, where neighbouring threads read neighbouring lines of W, fetches 32 bytes for each 4 that it uses. Here
// lane t reads the elements t, t + 32, ...: 128 bytes in one piece; five shuffles add up the lanes' sums. Where b lies
// along lines (dX, dW) rung 1 reads b in one piece already, and keeps the call.
#include "kernels/cuda/linear/product.h"
#include "kernels/cuda/linear/rungs.h"

namespace gb::cuda::linear_02_coalesced {
namespace {

constexpr int kWarps = 8;  // of a block

template <class T>
__global__ void __launch_bounds__(32 * kWarps) gemm_kernel(Product<T> g, int64_t elements) {
  using C = compute_t<T>;
  const int64_t element = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / 32;
  if (element >= elements) return;  // the whole warp
  const int64_t row = element / g.n, j = element - row * g.n, l = row / g.m, i = row - l * g.m;
  const T* line_a = g.a.line(l, i);  // [k], in one piece
  const T* line_b = g.b.line(l, j);  // [k], in one piece
  const unsigned lane = threadIdx.x % 32;

  C sum = 0;
  for (int64_t p = lane; p < g.k; p += 32) sum += static_cast<C>(line_a[p]) * static_cast<C>(line_b[p]);
  // [anchor: lanes]
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
  if (lane == 0) g.store(sum, l, i, j);
}

}  // namespace

bool takes(const GemmArgs& args) { return args.a.col_stride == 1 && args.b.row_stride == 1; }

void gemm(const GemmArgs& args, StreamHandle stream) {
  const int64_t elements = args.batch * args.m * args.n;
  visit_floating(args.dtype, [&](auto zero) {
    using T = decltype(zero);
    GB_LAUNCH((gemm_kernel<T>), grid_of((elements + kWarps - 1) / kWarps), 32 * kWarps, 0, stream, Product<T>(args),
              elements);
  });
}

}  // namespace gb::cuda::linear_02_coalesced
