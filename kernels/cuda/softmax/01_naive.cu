// Softmax, rung 1: one thread per row, as one would write it for one processor. The first rung.
//
// Each thread walks its row three times: the maximum, the sum of exponentials, the result. It is right, and
// it shows what the rungs above repair:
//   * neighbouring threads read addresses a whole row apart, so each 4-byte load fetches 32 bytes of memory;
//   * the row is read three times; exp is computed twice for each element;
//   * a matrix of 8 rows keeps 8 threads busy, of the many thousands a GPU has.
#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/softmax/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::softmax_01_naive {
namespace {

// in, out: [rows, cols]
template <class T>
__global__ void forward_kernel(T* out, const T* in, int64_t rows, int64_t cols) {
  using C = compute_t<T>;
  const int64_t row = thread_number();
  if (row >= rows) return;
  const T* x = in + row * cols;  // [cols]
  T* y = out + row * cols;       // [cols]

  // The maximum is subtracted so that the largest exponent is 0: exp cannot overflow, and the sum is at
  // least 1.
  C max = static_cast<C>(x[0]);
  for (int64_t c = 1; c < cols; ++c) {
    const C value = static_cast<C>(x[c]);
    if (value > max) max = value;
  }
  C sum = 0;
  for (int64_t c = 0; c < cols; ++c) sum += std::exp(static_cast<C>(x[c]) - max);
  for (int64_t c = 0; c < cols; ++c) y[c] = static_cast<T>(std::exp(static_cast<C>(x[c]) - max) / sum);
}

// grad, output, grad_input: [rows, cols]
template <class T>
__global__ void backward_kernel(T* grad_input, const T* grad, const T* output, int64_t rows, int64_t cols) {
  using C = compute_t<T>;
  const int64_t row = thread_number();
  if (row >= rows) return;
  const T* dy = grad + row * cols;   // [cols]
  const T* y = output + row * cols;  // [cols]
  T* dx = grad_input + row * cols;   // [cols]

  // The Jacobian is diag(y) - y y^T, so the whole row enters through one number: dy . y
  C dot = 0;
  for (int64_t c = 0; c < cols; ++c) dot += static_cast<C>(dy[c]) * static_cast<C>(y[c]);
  for (int64_t c = 0; c < cols; ++c)
    dx[c] = static_cast<T>(static_cast<C>(y[c]) * (static_cast<C>(dy[c]) - dot));
}

// Few threads per block, so that a small number of rows still spreads over several multiprocessors.
constexpr unsigned kRowsPerBlock = 64;
unsigned blocks_for_rows(int64_t rows) { return grid_of((rows + kRowsPerBlock - 1) / kRowsPerBlock); }

}  // namespace

void forward(ScalarType dtype, void* out, const void* in, int64_t rows, int64_t cols, StreamHandle stream) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (rows == 0 || cols == 0) return;
    GB_LAUNCH((forward_kernel<T>), blocks_for_rows(rows), kRowsPerBlock, 0, stream, static_cast<T*>(out),
              static_cast<const T*>(in), rows, cols);
  });
  if (!known) throw_no_kernel("softmax", dtype);
}

void backward(ScalarType dtype, void* grad_input, const void* grad, const void* output, int64_t rows,
              int64_t cols, StreamHandle stream) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (rows == 0 || cols == 0) return;
    GB_LAUNCH((backward_kernel<T>), blocks_for_rows(rows), kRowsPerBlock, 0, stream,
              static_cast<T*>(grad_input), static_cast<const T*>(grad), static_cast<const T*>(output), rows,
              cols);
  });
  if (!known) throw_no_kernel("softmax_backward", dtype);
}

}  // namespace gb::cuda::softmax_01_naive
