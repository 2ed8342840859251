// Softmax, rung 4: the row in registers. Changed: each element is read from memory once, not three times.
//
// Each thread keeps its elements in an array that the compiler turns into registers: every index must be known
// when compiling, so the number of elements per thread is a template parameter and the loops are unrolled. All
// loads of a thread are on their way before the first value is used. Rows of up to 1024 elements have a warp each, as in
// rung 3; longer ones, up to 1024 threads x 16 elements (8 of double), a block. What is longer goes to the rung below.
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda::softmax_04_registers {
namespace {

constexpr int kMostThreads = 1024, kWarpsPerBlock = 4;  // of a block for one row; of a block with a row per warp

// Who works on a row: kWarpPerRow: a warp, kWarpsPerBlock of them in a block; else the block.
template <bool kWarpPerRow>
struct Workers {
  int64_t row = kWarpPerRow ? block_number() * kWarpsPerBlock + threadIdx.x / 32 : block_number();
  int thread = static_cast<int>(kWarpPerRow ? threadIdx.x % 32 : threadIdx.x);
  int count = static_cast<int>(kWarpPerRow ? 32 : blockDim.x);

  // of_warp: [32], shared
  template <class C, class Op>
  __device__ C combine(C value, C identity, C* of_warp, Op op) const {
    if constexpr (kWarpPerRow)
      return across_lanes<32>(value, op);
    else
      return across_block(value, identity, of_warp, op);
  }
};

// out: [rows, cols]; in: [rows, cols], rows in_stride apart. cols <= workers * kPerThread
template <class T, class F, int kPerThread, bool kWarpPerRow>
__global__ void __launch_bounds__(kWarpPerRow ? 32 * kWarpsPerBlock : kMostThreads)
    forward_kernel(T* out, const T* in, int64_t rows, int cols, int64_t in_stride) {
  using C = compute_t<T>;
  __shared__ C of_warp[2][32];
  const Workers<kWarpPerRow> workers;
  if (workers.row >= rows) return;
  const T* x = in + workers.row * in_stride;  // [cols]
  T* y = out + workers.row * cols;            // [cols]

  C value[kPerThread];  // element thread + i * count; -inf past the end, which adds exp(-inf) = 0
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = workers.thread + i * workers.count;
    value[i] = c < cols ? static_cast<C>(x[c]) : static_cast<C>(-INFINITY);
  }
  C max = value[0];
#pragma unroll
  for (int i = 1; i < kPerThread; ++i) max = Larger()(value[i], max);
  max = workers.combine(max, static_cast<C>(-INFINITY), of_warp[0], Larger());
  C sum = 0;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) sum += F::of(value[i], max);
  const C of_row = F::of_row(workers.combine(sum, C(0), of_warp[1], Plus()));
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = workers.thread + i * workers.count;
    if (c < cols) y[c] = static_cast<T>(F::output(value[i], max, of_row));
  }
}

// grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart. cols <= workers * kPerThread
template <class T, class F, int kPerThread, bool kWarpPerRow>
__global__ void __launch_bounds__(kWarpPerRow ? 32 * kWarpsPerBlock : kMostThreads)
    backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int cols,
                    int64_t grad_stride) {
  using C = compute_t<T>;
  __shared__ C of_warp[32];
  const Workers<kWarpPerRow> workers;
  if (workers.row >= rows) return;
  const T* dy = grad + workers.row * grad_stride;  // [cols]
  const T* y = output + workers.row * cols;        // [cols]
  T* dx = grad_input + workers.row * cols;         // [cols]

  C dy_value[kPerThread], y_value[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = workers.thread + i * workers.count;
    dy_value[i] = c < cols ? static_cast<C>(dy[c]) : C(0);
    y_value[i] = c < cols ? static_cast<C>(y[c]) : C(0);
  }
  C total = 0;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) total += F::term(dy_value[i], y_value[i]);
  total = workers.combine(total, C(0), of_warp, Plus());
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = workers.thread + i * workers.count;
    if (c < cols) dx[c] = static_cast<T>(F::grad(dy_value[i], y_value[i], total));
  }
}

template <int n>
using Int = std::integral_constant<int, n>;

// Calls launch(grid, threads, Int<elements per thread>, is a row a warp's?).
template <class T, class Launch>
void with_shape(int64_t rows, int64_t cols, Launch launch) {
  const dim3 by_warp = grid_of_rows((rows + kWarpsPerBlock - 1) / kWarpsPerBlock);
  const unsigned warps = 32 * kWarpsPerBlock;
  constexpr int kLong = sizeof(T) == 8 ? 8 : 16;
  if (cols <= 64)
    launch(by_warp, warps, Int<2>(), std::true_type());
  else if (cols <= 256)
    launch(by_warp, warps, Int<8>(), std::true_type());
  else if (cols <= 1024)
    launch(by_warp, warps, Int<32>(), std::true_type());
  else
    launch(grid_of_rows(rows), static_cast<unsigned>((cols + 32 * kLong - 1) / (32 * kLong) * 32), Int<kLong>(),
           std::false_type());
}

}  // namespace

bool takes(const SoftmaxArgs& a) { return a.cols <= (a.dtype == kDouble ? 8 : 16) * kMostThreads; }
bool takes(const SoftmaxBackwardArgs& a) { return a.cols <= (a.dtype == kDouble ? 8 : 16) * kMostThreads; }

void forward(const SoftmaxArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    with_shape<T>(a.rows, a.cols, [&](dim3 grid, unsigned threads, auto per_thread, auto warp) {
      GB_LAUNCH((forward_kernel<T, F, per_thread.value, warp.value>), grid, threads, 0, a.stream,
                static_cast<T*>(a.out), static_cast<const T*>(a.in), a.rows, static_cast<int>(a.cols),
                a.in_stride);
    });
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    with_shape<T>(a.rows, a.cols, [&](dim3 grid, unsigned threads, auto per_thread, auto warp) {
      GB_LAUNCH((backward_kernel<T, F, per_thread.value, warp.value>), grid, threads, 0, a.stream,
                static_cast<T*>(a.grad_input), static_cast<const T*>(a.grad), static_cast<const T*>(a.output),
                a.rows, static_cast<int>(a.cols), a.grad_stride);
    });
  });
}

}  // namespace gb::cuda::softmax_04_registers
