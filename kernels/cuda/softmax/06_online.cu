// Softmax, rung 6: one exchange. Changed: warps meet once for maximum and sum together, not once for each.
//
// A warp adds up e^(x - m) with its own maximum m, not the row's. When the warps then compare, a warp's sum is
// moved to the row's maximum M by one factor, e^(m - M): the identity behind "online" softmax, and behind attention
// kernels that never see a whole row. One barrier is left where there were two. Rows that a single warp holds
// (up to 128 vectors) have no barrier to save and stay with rung 5, and so does backward, which has one reduction only.
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/online.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"
#include "kernels/cuda/softmax/shapes.h"
#include "kernels/cuda/softmax/share.h"

namespace gb::cuda::softmax_06_online {
namespace {

// out: [rows, cols]; in: [rows, cols], rows in_stride apart. cols < (blockDim.x * kVectors + 1) * kWidth
template <class T, class F, int kVectors>
__global__ void __launch_bounds__(kMostThreads)
    forward_kernel(T* out, const T* in, int64_t rows, int cols, int64_t in_stride, bool whole) {
  using C = compute_t<T>;
  __shared__ MaxSum<C> of_warp[32];
  const int64_t row = block_number();
  if (row >= rows) return;
  const Row<const T> x(in + row * in_stride, cols, whole);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);

  auto share = load_share<kVectors>(x, whole, thread, threads, -INFINITY);
  const MaxSum<C> total = combine_warps<F>(max_sum_of_warp<F>(share, whole), of_warp);
  const C of_row = F::of_row(total.sum);
  store_share(Row<T>(out + row * cols, x), share, whole, thread, threads,
              [&](C value) { return F::output(value, total.max, of_row); });
}

}  // namespace

bool takes(const SoftmaxArgs& a) {
  return softmax_05_vector_loads::takes(a) && vectors_in(a.dtype, a.cols) > 128;  // one warp, else
}

void forward(const SoftmaxArgs& a) {
  visit_softmax_up_to_float(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    const bool whole = whole_rows(a.in, a.in_stride, a.cols, a.dtype);
    with_long_forward_shape<T>(vectors_in(a.dtype, a.cols), [&](unsigned threads, auto per_thread) {
      GB_LAUNCH((forward_kernel<T, F, per_thread.value>), grid_of_rows(a.rows), threads, 0,
                a.stream, static_cast<T*>(a.out), static_cast<const T*>(a.in), a.rows, static_cast<int>(a.cols),
                a.in_stride, whole);
    });
  });
}

}  // namespace gb::cuda::softmax_06_online
