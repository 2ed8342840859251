#include "kernels/cuda/ampere_checks/ampere_checks.h"

#include "kernels/cuda/instructions/cp_async.h"
#include "kernels/cuda/instructions/mma_sync.h"

namespace gb::cuda::ampere_checks {
namespace {

template <int kBytes>
__global__ void copy_kernel(float* out, const float* in) {
  constexpr int kWords = kBytes / 4;
  GB_EXTERN_SHARED(float, place);  // [32, kWords]
  const int i = static_cast<int>(threadIdx.x), bytes = i % (kWords + 1) * 4;
  // A thread copies its line twice: in an older group and in a younger one.
  float* const older = place + i * kWords;
  float* const younger = place + (32 + i) * kWords;
  cp_async<kBytes>(older, in + i * kWords, bytes);
  cp_async_commit();
  cp_async<kBytes>(younger, in + i * kWords, bytes);
  cp_async_commit();
  cp_async_wait<1>();
  for (int w = 0; w < kWords; ++w) out[i * kWords + w] = older[w];
  cp_async_wait<0>();
  for (int w = 0; w < kWords; ++w)
    if (younger[w] != out[i * kWords + w]) out[i * kWords + w] = -1;  // the cases have no -1
}

__global__ void ldmatrix_kernel(uint32_t* out, const uint32_t* rows, bool trans) {
  GB_EXTERN_SHARED(uint32_t, place);  // [32, 4]
  const int i = static_cast<int>(threadIdx.x);
  for (int w = 0; w < 4; ++w) place[i * 4 + w] = rows[i * 4 + w];
  __syncwarp();
  Words piece;
  if (trans)
    cuda::ldmatrix_trans(piece, place + i * 4);
  else
    cuda::ldmatrix(piece, place + i * 4);
  for (int q = 0; q < 4; ++q) out[i * 4 + q] = piece[q];
}

// The word of elements p, p + 1 (or p alone, of floats) of a line along k: element p is at from[p * step].
template <class T>
__device__ uint32_t word(const T* from, int p, int step) {
  uint32_t bits = 0;
  if constexpr (sizeof(T) == 4)
    bits = cuda::to_tf32(float_bits(from[p * step]));
  else
    bits = from[p * step].bits | static_cast<uint32_t>(from[(p + 1) * step].bits) << 16;
  return bits;
}

template <class T>
__global__ void mma_kernel(float* d, const T* a, const T* b, const float* c) {
  constexpr int kDepth = 32 / static_cast<int>(sizeof(T)), kPerWord = 4 / static_cast<int>(sizeof(T));
  const int g = static_cast<int>(threadIdx.x) / 4, t = static_cast<int>(threadIdx.x) % 4;
  const int left = t * kPerWord, right = left + kDepth / 2;
  const T *upper = a + g * kDepth, *lower = a + (g + 8) * kDepth;
  const Words of_a = {word(upper, left, 1), word(lower, left, 1), word(upper, right, 1), word(lower, right, 1)};
  Sums sum;
  for (int e = 0; e < 4; ++e) sum[e] = c[(g + e / 2 * 8) * 8 + t * 2 + e % 2];
  cuda::mma<T>(sum, of_a, word(b + g, left, 8), word(b + g, right, 8));
  for (int e = 0; e < 4; ++e) d[(g + e / 2 * 8) * 8 + t * 2 + e % 2] = sum[e];
}

__global__ void to_tf32_kernel(float* out, const float* in) {
  out[threadIdx.x] = bits_float(cuda::to_tf32(float_bits(in[threadIdx.x])));
}

}  // namespace

void copy(float* out, const float* in, int size) {
  const size_t shared = 2 * 32 * static_cast<size_t>(size);
  if (size == 4)
    GB_LAUNCH((copy_kernel<4>), 1, 32, shared, nullptr, out, in);
  else if (size == 8)
    GB_LAUNCH((copy_kernel<8>), 1, 32, shared, nullptr, out, in);
  else
    GB_LAUNCH((copy_kernel<16>), 1, 32, shared, nullptr, out, in);
}

void ldmatrix(void* out, const void* rows, bool trans) {
  GB_LAUNCH((ldmatrix_kernel), 1, 32, 512, nullptr, static_cast<uint32_t*>(out), static_cast<const uint32_t*>(rows),
            trans);
}

void mma(ScalarType dtype, float* d, const void* a, const void* b, const float* c) {
  visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) < 8)
      GB_LAUNCH((mma_kernel<T>), 1, 32, 0, nullptr, d, static_cast<const T*>(a), static_cast<const T*>(b), c);
  });
}

void to_tf32(float* out, const float* in) { GB_LAUNCH((to_tf32_kernel), 1, 32, 0, nullptr, out, in); }

}  // namespace gb::cuda::ampere_checks
