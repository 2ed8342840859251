// embedding: a thread per element of the result. Its backward: a block per row of the table, which looks through
// all indices for its own and adds up their gradients in their order, so that two runs agree bit for bit. That
// reads every index once per row of the table, from the cache; nothing is sorted and nothing is atomic.
#include "kernels/cuda/element.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// out: [n, dim], weight: rows weight_row_stride apart, indices: [n]
template <class Bits>
__global__ void embedding_kernel(Bits* out, const Bits* weight, const int64_t* indices, int64_t n,
                                 int64_t dim, int64_t weight_row_stride) {
  const int64_t i = thread_number();
  if (i >= n * dim) return;
  out[i] = weight[indices[i / dim] * weight_row_stride + i % dim];
}

// grad_weight: [num_embeddings, dim], grad: [n, dim], indices: [n]. A block makes kThreads columns of one row.
template <class T>
__global__ void embedding_backward_kernel(T* grad_weight, const T* grad, const int64_t* indices, int64_t n, int64_t dim,
                                          int64_t padding_idx, bool scale_grad_by_freq) {
  using C = compute_t<T>;
  __shared__ unsigned found[kThreads / 32];  // of each warp's 32 indices, a bit for those that are this row
  const int64_t tiles = (dim + kThreads - 1) / kThreads;
  const int64_t row = blockIdx.x / tiles, column = blockIdx.x % tiles * kThreads + threadIdx.x;
  C sum = 0;
  int64_t count = 0;
  for (int64_t first = 0; first < n; first += kThreads) {
    const int64_t mine = first + threadIdx.x;
    const unsigned bits = __ballot_sync(0xffffffffu, mine < n && row != padding_idx && indices[mine] == row);
    if (threadIdx.x % 32 == 0) found[threadIdx.x / 32] = bits;
    __syncthreads();
    for (int64_t w = 0; w < kThreads / 32; ++w) {
      int64_t i = first + w * 32;
      for (unsigned left = found[w]; left != 0; left >>= 1, ++i) {
        if (!(left & 1)) continue;
        if (column < dim) sum += static_cast<C>(grad[i * dim + column]);
        ++count;
      }
    }
    __syncthreads();  // before the next indices
  }
  if (column < dim)
    grad_weight[row * dim + column] = static_cast<T>(scale_grad_by_freq && count > 0 ? sum / static_cast<C>(count) : sum);
}

}  // namespace

void embedding(ScalarType dtype, void* out, const void* weight, int64_t dim, int64_t weight_row_stride,
               const int64_t* indices, int64_t n, StreamHandle stream) {
  if (!isSupportedType(dtype)) throw_no_kernel("embedding", dtype);
  visit_bits(dtype, [&](auto zero) {
    using Bits = decltype(zero);
    if (n == 0 || dim == 0) return;
    GB_LAUNCH((embedding_kernel<Bits>), blocks_for(n * dim), kThreads, 0, stream, static_cast<Bits*>(out),
              static_cast<const Bits*>(weight), indices, n, dim, weight_row_stride);
  });
}

void embedding_dense_backward(ScalarType dtype, void* grad_weight, const void* grad, const int64_t* indices, int64_t n,
                              int64_t num_embeddings, int64_t dim, int64_t padding_idx, bool scale_grad_by_freq,
                              StreamHandle stream) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (num_embeddings == 0 || dim == 0) return;
    GB_LAUNCH((embedding_backward_kernel<T>), grid_of(num_embeddings * ((dim + kThreads - 1) / kThreads)), kThreads, 0,
              stream, static_cast<T*>(grad_weight), static_cast<const T*>(grad), indices, n, dim, padding_idx,
              scale_grad_by_freq);
  });
  if (!known) throw_no_kernel("embedding_dense_backward", dtype);
}

}  // namespace gb::cuda
