// Softmax, rung 3: warp shuffles. Changed: lanes pass partial results from register to register.
//
// The 32 lanes of a warp run together, so a shuffle can hand a register to another lane without shared memory
// and without a barrier: five steps instead of five levels of the tree. A row of up to 1024 elements gets a
// single warp and no barrier at all; a longer one up to 8 warps, which meet at one barrier per reduction
// (across_block in rows.h). The row is still read three times; this rung takes rows of any length, and the rungs
// above leave to it what they cannot hold.
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda::softmax_03_warp_shuffle {
namespace {

// out: [rows, cols]; in: [rows, cols], rows in_stride apart. blockDim.x: a multiple of 32.
template <class T, class F>
__global__ void forward_kernel(T* out, const T* in, int64_t rows, int64_t cols, int64_t in_stride) {
  using C = compute_t<T>;
  __shared__ C of_warp[2][32];  // one array per reduction: no thread can be a barrier behind in the other
  const int64_t row = block_number();
  if (row >= rows) return;
  const T* x = in + row * in_stride;  // [cols]
  T* y = out + row * cols;            // [cols]

  C max = -INFINITY;
  for (int64_t c = threadIdx.x; c < cols; c += blockDim.x) max = Larger()(static_cast<C>(x[c]), max);
  max = across_block(max, static_cast<C>(-INFINITY), of_warp[0], Larger());
  C sum = 0;
  for (int64_t c = threadIdx.x; c < cols; c += blockDim.x) sum += exp_minus(static_cast<C>(x[c]), max);
  const C of_row = F::of_row(across_block(sum, C(0), of_warp[1], Plus()), max);
  for (int64_t c = threadIdx.x; c < cols; c += blockDim.x)
    y[c] = static_cast<T>(F::output(static_cast<C>(x[c]), max, of_row));
}

// grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart
template <class T, class F>
__global__ void backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int64_t cols,
                                int64_t grad_stride) {
  using C = compute_t<T>;
  __shared__ C of_warp[32];
  const int64_t row = block_number();
  if (row >= rows) return;
  const T* dy = grad + row * grad_stride;  // [cols]
  const T* y = output + row * cols;        // [cols]
  T* dx = grad_input + row * cols;         // [cols]

  C total = 0;
  for (int64_t c = threadIdx.x; c < cols; c += blockDim.x)
    total += F::term(static_cast<C>(dy[c]), static_cast<C>(y[c]));
  total = across_block(total, C(0), of_warp, Plus());
  for (int64_t c = threadIdx.x; c < cols; c += blockDim.x)
    dx[c] = static_cast<T>(F::grad(static_cast<C>(dy[c]), static_cast<C>(y[c]), total));
}

unsigned threads_for(int64_t cols) { return cols <= 1024 ? 32 : 256; }

}  // namespace

void forward(const SoftmaxArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    GB_LAUNCH((forward_kernel<T, decltype(formula)>), grid_of_rows(a.rows), threads_for(a.cols), 0, a.stream,
              static_cast<T*>(a.out), static_cast<const T*>(a.in), a.rows, a.cols, a.in_stride);
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    GB_LAUNCH((backward_kernel<T, decltype(formula)>), grid_of_rows(a.rows), threads_for(a.cols), 0, a.stream,
              static_cast<T*>(a.grad_input), static_cast<const T*>(a.grad), static_cast<const T*>(a.output),
              a.rows, a.cols, a.grad_stride);
  });
}

}  // namespace gb::cuda::softmax_03_warp_shuffle
