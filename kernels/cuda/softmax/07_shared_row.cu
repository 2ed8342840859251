// Softmax, rung 7: the row in registers and shared memory. Changed: longer rows still fit into one multiprocessor.
//
// Registers hold 128 bytes of the row per thread as in rung 6; what is left waits in shared memory (rest.h). A block of
// 512 threads may use half of a multiprocessor, so that two work side by side: 45,000 floats or 90,000 bfloat16 each,
// read once and written once. (One block of 1024 threads could hold a row twice as long, but nobody loads while its
// warps wait for each other.)
#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/long_rows.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda::softmax_07_shared_row {
namespace {

// out: [rows, cols]; in: [rows, cols], rows in_stride apart. Dynamic shared memory: the vectors that follow those in
// registers.
template <class T, class F, int kThreads, int kVectors>
__global__ void __launch_bounds__(kThreads, 1024 / kThreads)
    forward_kernel(T* out, const T* in, int64_t rows, int cols, int64_t in_stride, bool whole) {
  using C = compute_t<T>;
  GB_EXTERN_SHARED(Vector<T>, place);
  __shared__ MaxSum<C> of_warp[32];
  const int64_t row = block_number();
  if (row >= rows) return;

  LongRow<T, kThreads, kVectors> x(Row<const T>(in + row * in_stride, cols, whole), whole, place);
  const MaxSum<C> total = combine_warps<F>(x.template max_sum_of_warp<F>(), of_warp);
  const C of_row = F::of_row(total.sum);
  x.store(out + row * cols, [&](C value) { return F::output(value, total.max, of_row); });
}

// grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart. Dynamic shared memory: the vectors of
// y that follow those in registers, then those of dy.
template <class T, class F, int kThreads, int kVectors>
__global__ void __launch_bounds__(kThreads, 1024 / kThreads)
    backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int cols, int64_t grad_stride,
                    bool whole) {
  using C = compute_t<T>;
  GB_EXTERN_SHARED(Vector<T>, place);
  __shared__ C of_warp[32];
  const int64_t row = block_number();
  if (row >= rows) return;

  LongRowPair<T, kThreads, kVectors> pair(grad + row * grad_stride, Row<const T>(output + row * cols, cols, whole), whole, place);
  const C total = across_block(pair.sum([](C dy, C y) { return F::term(dy, y); }), C(0), of_warp, Plus());
  pair.store(grad_input + row * cols, [&](C dy, C y) { return F::grad(dy, y, total); });
}

}  // namespace

bool takes(const SoftmaxArgs& a) {
  return moves_vectors(a) && forward_rest_bytes(a.dtype, a.cols) <= kMostRestBytes && may_share(kMostRestBytes);
}
bool takes(const SoftmaxBackwardArgs& a) {
  return moves_vectors(a) && backward_rest_bytes(a.dtype, a.cols) <= kMostRestBytes && may_share(kMostRestBytes);
}

void forward(const SoftmaxArgs& a) {
  visit_softmax_up_to_float(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    const size_t shared = forward_rest_bytes(a.dtype, a.cols);
    GB_LAUNCH((forward_kernel<T, F, kLongThreads, kRowVectors>), grid_of_rows(a.rows), kLongThreads, shared, a.stream,
              static_cast<T*>(a.out), static_cast<const T*>(a.in), a.rows, static_cast<int>(a.cols), a.in_stride,
              whole_rows(a.in, a.in_stride, a.cols, a.dtype));
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax_up_to_float(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    const size_t shared = backward_rest_bytes(a.dtype, a.cols);
    GB_LAUNCH((backward_kernel<T, F, kLongThreads, pair_vectors(sizeof(T))>), grid_of_rows(a.rows), kLongThreads, shared, a.stream,
              static_cast<T*>(a.grad_input), static_cast<const T*>(a.grad), static_cast<const T*>(a.output), a.rows,
              static_cast<int>(a.cols), a.grad_stride, whole_rows(a.output, a.cols, a.cols, a.dtype));
  });
}

}  // namespace gb::cuda::softmax_07_shared_row
