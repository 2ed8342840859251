// Softmax, rung 4: the row in registers. Changed: each element is read from memory once, not three times.
//
// Each thread keeps its elements in an array that the compiler turns into registers: every index must be known
// when compiling, so the number of elements per thread is a template parameter and the loops are unrolled. All
// loads of a thread are on their way before the first value is used. A row has at most 1024 threads x 16
// elements (8 of double); longer ones go to the rung below.
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda::softmax_04_registers {
namespace {

constexpr int kMostThreads = 1024;

// out: [rows, cols]; in: [rows, cols], rows in_stride apart. cols <= blockDim.x * kPerThread
template <class T, class F, int kPerThread>
__global__ void __launch_bounds__(kMostThreads)
    forward_kernel(T* out, const T* in, int64_t rows, int cols, int64_t in_stride) {
  using C = compute_t<T>;
  __shared__ C of_warp[2][32];
  const int64_t row = block_number();
  if (row >= rows) return;
  const T* x = in + row * in_stride;  // [cols]
  T* y = out + row * cols;            // [cols]

  C value[kPerThread];  // element threadIdx.x + i * blockDim.x; -inf past the end, which adds exp(-inf) = 0
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = static_cast<int>(threadIdx.x + i * blockDim.x);
    value[i] = c < cols ? static_cast<C>(x[c]) : static_cast<C>(-INFINITY);
  }
  C max = value[0];
#pragma unroll
  for (int i = 1; i < kPerThread; ++i) max = Larger()(value[i], max);
  max = across_block(max, static_cast<C>(-INFINITY), of_warp[0], Larger());
  C sum = 0;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) sum += exp_minus(value[i], max);
  const C of_row = F::of_row(across_block(sum, C(0), of_warp[1], Plus()), max);
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = static_cast<int>(threadIdx.x + i * blockDim.x);
    if (c < cols) y[c] = static_cast<T>(F::output(value[i], max, of_row));
  }
}

// grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart. cols <= blockDim.x * kPerThread
template <class T, class F, int kPerThread>
__global__ void __launch_bounds__(kMostThreads)
    backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int cols,
                    int64_t grad_stride) {
  using C = compute_t<T>;
  __shared__ C of_warp[32];
  const int64_t row = block_number();
  if (row >= rows) return;
  const T* dy = grad + row * grad_stride;  // [cols]
  const T* y = output + row * cols;        // [cols]
  T* dx = grad_input + row * cols;         // [cols]

  C dy_value[kPerThread], y_value[kPerThread];
  C total = 0;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = static_cast<int>(threadIdx.x + i * blockDim.x);
    dy_value[i] = c < cols ? static_cast<C>(dy[c]) : C(0);
    y_value[i] = c < cols ? static_cast<C>(y[c]) : C(0);
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) total += F::term(dy_value[i], y_value[i]);
  total = across_block(total, C(0), of_warp, Plus());
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = static_cast<int>(threadIdx.x + i * blockDim.x);
    if (c < cols) dx[c] = static_cast<T>(F::grad(dy_value[i], y_value[i], total));
  }
}

// Calls launch(threads, std::integral_constant<int, elements per thread>): few elements per thread while there
// are threads to have, as short rows need many warps to keep enough loads on their way.
template <class T, class Launch>
void with_shape(int64_t cols, Launch launch) {
  const auto threads = [&](int per_thread) {
    const int64_t needed = (cols + per_thread - 1) / per_thread;
    return static_cast<unsigned>((needed + 31) / 32 * 32);
  };
  if (cols <= 256)
    launch(threads(4), std::integral_constant<int, 4>());
  else if (sizeof(T) == 8 || cols <= 8192)
    launch(threads(8), std::integral_constant<int, 8>());
  else if constexpr (sizeof(T) <= 4)
    launch(threads(16), std::integral_constant<int, 16>());
}

}  // namespace

// A double takes two registers.
int64_t most_cols(ScalarType dtype) { return (dtype == kDouble ? 8 : 16) * kMostThreads; }
bool takes(const SoftmaxArgs& a) { return a.cols <= most_cols(a.dtype); }
bool takes(const SoftmaxBackwardArgs& a) { return a.cols <= most_cols(a.dtype); }

void forward(const SoftmaxArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    with_shape<T>(a.cols, [&](unsigned threads, auto per_thread) {
      GB_LAUNCH((forward_kernel<T, decltype(formula), per_thread.value>), grid_of_rows(a.rows), threads, 0,
                a.stream, static_cast<T*>(a.out), static_cast<const T*>(a.in), a.rows,
                static_cast<int>(a.cols), a.in_stride);
    });
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    with_shape<T>(a.cols, [&](unsigned threads, auto per_thread) {
      GB_LAUNCH((backward_kernel<T, decltype(formula), per_thread.value>), grid_of_rows(a.rows), threads, 0,
                a.stream, static_cast<T*>(a.grad_input), static_cast<const T*>(a.grad),
                static_cast<const T*>(a.output), a.rows, static_cast<int>(a.cols), a.grad_stride);
    });
  });
}

}  // namespace gb::cuda::softmax_04_registers
