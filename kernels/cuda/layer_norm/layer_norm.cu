// layer_norm: a warp per row, or for long rows a block per row. The row is read three times, for its mean, its
// variance and the result; after the first time it lies in the L1 cache.
//
//   y = (x - mean) * rstd * weight + bias          grad_input = rstd * (g - mean(g) - xhat * mean(g * xhat))
//
// The gradients of weight and bias are sums down the columns: 32 neighbouring columns per block, 8 or 32 threads each.
#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/layer_norm/layer_norm.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

constexpr unsigned kWarp = 32, kWarps = kThreads / kWarp;
constexpr int64_t kLongRow = 2048;  // from here on a block per row
constexpr unsigned kMostThreads = 1024;
constexpr int64_t kManyRows = 512;  // from here on so many threads for 32 columns

// The sum over the `lanes` threads of a row: 32, or all of the block; each of them gets it.
template <class C>
__device__ C sum_over_row(C value, unsigned lanes) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
  if (lanes == kWarp) return value;
  __shared__ C of_warp[kWarps];
  if (threadIdx.x % kWarp == 0) of_warp[threadIdx.x / kWarp] = value;
  __syncthreads();
  C sum = 0;
  for (unsigned w = 0; w < kWarps; ++w) sum += of_warp[w];
  __syncthreads();  // before the next sum is written
  return sum;
}

// The row of this thread, and its number among the row's threads.
struct Place {
  int64_t row;
  unsigned lane;
  __device__ explicit Place(unsigned lanes)
      : row(static_cast<int64_t>(blockIdx.x) * (blockDim.x / lanes) + threadIdx.x / lanes), lane(threadIdx.x % lanes) {}
};

// x, y: [rows, n]; mean, rstd: [rows]; weight, bias: [n] or null
template <class T>
__global__ void forward_kernel(T* y, T* mean_out, T* rstd_out, const T* x, const T* weight, const T* bias,
                               compute_t<T> eps, int64_t rows, int64_t n, unsigned lanes) {
  using C = compute_t<T>;
  const Place at(lanes);
  if (at.row >= rows) return;  // a whole warp, or a whole block
  const T* from = x + at.row * n;
  C sum = 0, squares = 0;
  for (int64_t j = at.lane; j < n; j += lanes) sum += static_cast<C>(from[j]);
  const C mean = sum_over_row(sum, lanes) / static_cast<C>(n);
  for (int64_t j = at.lane; j < n; j += lanes) {
    const C d = static_cast<C>(from[j]) - mean;
    squares += d * d;
  }
  const C rstd = 1 / std::sqrt(sum_over_row(squares, lanes) / static_cast<C>(n) + eps);
  for (int64_t j = at.lane; j < n; j += lanes) {
    C v = (static_cast<C>(from[j]) - mean) * rstd;
    if (weight) v *= static_cast<C>(weight[j]);
    if (bias) v += static_cast<C>(bias[j]);
    y[at.row * n + j] = static_cast<T>(v);
  }
  if (at.lane == 0) {
    mean_out[at.row] = static_cast<T>(mean);
    rstd_out[at.row] = static_cast<T>(rstd);
  }
}

// grad_input, grad, x: [rows, n]; mean, rstd: [rows]; weight: [n] or null
template <class T>
__global__ void input_gradient_kernel(T* grad_input, const T* grad, const T* x, const T* mean_in, const T* rstd_in,
                                      const T* weight, int64_t rows, int64_t n, unsigned lanes) {
  using C = compute_t<T>;
  const Place at(lanes);
  if (at.row >= rows) return;
  const C mean = static_cast<C>(mean_in[at.row]), rstd = static_cast<C>(rstd_in[at.row]);
  const int64_t start = at.row * n;
  const auto weighted = [=](int64_t j) {
    const C g = static_cast<C>(grad[start + j]);
    return weight ? g * static_cast<C>(weight[j]) : g;
  };
  const auto normalized = [=](int64_t j) { return (static_cast<C>(x[start + j]) - mean) * rstd; };
  C sum_g = 0, sum_gx = 0;
  for (int64_t j = at.lane; j < n; j += lanes) {
    const C g = weighted(j);
    sum_g += g;
    sum_gx += g * normalized(j);
  }
  const C mean_g = sum_over_row(sum_g, lanes) / static_cast<C>(n), mean_gx = sum_over_row(sum_gx, lanes) / static_cast<C>(n);
  for (int64_t j = at.lane; j < n; j += lanes)
    grad_input[start + j] = static_cast<T>((weighted(j) - mean_g - normalized(j) * mean_gx) * rstd);
}

// weight_grad, bias_grad: [n] or null; grad, x: [rows, n]; mean, rstd: [rows]. Block: 32 columns, a power of two of
// threads each.
template <class T>
__global__ void column_gradient_kernel(T* weight_grad, T* bias_grad, const T* grad, const T* x, const T* mean,
                                       const T* rstd, int64_t rows, int64_t n) {
  using C = compute_t<T>;
  __shared__ C weight_sums[kMostThreads], bias_sums[kMostThreads];  // [blockDim.x] of them
  const int64_t column = static_cast<int64_t>(blockIdx.x) * kWarp + threadIdx.x % kWarp;
  C weight_sum = 0, bias_sum = 0;
  for (int64_t r = threadIdx.x / kWarp; r < rows && column < n; r += blockDim.x / kWarp) {
    const C g = static_cast<C>(grad[r * n + column]);
    bias_sum += g;
    weight_sum += g * (static_cast<C>(x[r * n + column]) - static_cast<C>(mean[r])) * static_cast<C>(rstd[r]);
  }
  weight_sums[threadIdx.x] = weight_sum;
  bias_sums[threadIdx.x] = bias_sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half >= kWarp; half /= 2) {
    if (threadIdx.x < half) {
      weight_sums[threadIdx.x] += weight_sums[threadIdx.x + half];
      bias_sums[threadIdx.x] += bias_sums[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x >= kWarp || column >= n) return;
  if (weight_grad) weight_grad[column] = static_cast<T>(weight_sums[threadIdx.x]);
  if (bias_grad) bias_grad[column] = static_cast<T>(bias_sums[threadIdx.x]);
}

unsigned lanes_for(int64_t n) { return n < kLongRow ? kWarp : kThreads; }
unsigned blocks_of_rows(int64_t rows, unsigned lanes) {
  const int64_t per_block = kThreads / lanes;
  return grid_of((rows + per_block - 1) / per_block);
}

}  // namespace

void layer_norm(ScalarType dtype, void* y, void* mean, void* rstd, const void* x, const void* weight,
                const void* bias, double eps, int64_t rows, int64_t n, StreamHandle stream) {
  const unsigned lanes = lanes_for(n);
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (rows == 0) return;
    GB_LAUNCH((forward_kernel<T>), blocks_of_rows(rows, lanes), kThreads, 0, stream, static_cast<T*>(y),
              static_cast<T*>(mean), static_cast<T*>(rstd), static_cast<const T*>(x), static_cast<const T*>(weight),
              static_cast<const T*>(bias), static_cast<compute_t<T>>(eps), rows, n, lanes);
  });
  if (!known) throw_no_kernel("layer_norm", dtype);
}

void layer_norm_backward(ScalarType dtype, const LayerNormGradients& out, const LayerNormInputs& in, int64_t rows,
                         int64_t n, StreamHandle stream) {
  const unsigned lanes = lanes_for(n);
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T *grad = static_cast<const T*>(in.grad), *x = static_cast<const T*>(in.x),
            *mean = static_cast<const T*>(in.mean), *rstd = static_cast<const T*>(in.rstd);
    if (out.input && rows > 0)
      GB_LAUNCH((input_gradient_kernel<T>), blocks_of_rows(rows, lanes), kThreads, 0, stream,
                static_cast<T*>(out.input), grad, x, mean, rstd, static_cast<const T*>(in.weight), rows, n, lanes);
    if ((out.weight || out.bias) && n > 0)
      GB_LAUNCH((column_gradient_kernel<T>), grid_of((n + kWarp - 1) / kWarp),
                rows < kManyRows ? kThreads : kMostThreads, 0, stream,
                static_cast<T*>(out.weight), static_cast<T*>(out.bias), grad, x, mean, rstd, rows, n);
  });
  if (!known) throw_no_kernel("layer_norm_backward", dtype);
}

}  // namespace gb::cuda
