// cumsum: a block walks a line in stretches of one element per thread. Within a stretch the sums are made by
// doubling: after step d each thread has the sum of the 2d elements that end with its own.
#include <type_traits>

#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/reduce/along.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// One block per line. Sum: what is added up in.
template <class T, class Sum>
__global__ void cumsum_kernel(T* out, const T* in, int64_t n, int64_t out_stride, int64_t in_stride, Space<2> others) {
  __shared__ Sum sums[kThreads];  // [blockDim.x] of them
  const Offsets<2> at = others.at(blockIdx.x);
  Sum before = 0;  // of the stretches so far
  for (int64_t first = 0; first < n; first += blockDim.x) {
    const int64_t i = first + threadIdx.x;
    sums[threadIdx.x] = i < n ? static_cast<Sum>(static_cast<compute_t<T>>(in[at.of[1] + i * in_stride])) : Sum(0);
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
      const Sum left = threadIdx.x >= d ? sums[threadIdx.x - d] : Sum(0);
      __syncthreads();
      sums[threadIdx.x] += left;
      __syncthreads();
    }
    if (i < n) out[at.of[0] + i * out_stride] = static_cast<T>(static_cast<compute_t<T>>(before + sums[threadIdx.x]));
    before += sums[blockDim.x - 1];
    __syncthreads();
  }
}

}  // namespace

void cumsum(ScalarType dtype, void* out, const void* in, int64_t n, int64_t out_stride, int64_t in_stride,
            const Strided<2>& lines, StreamHandle stream) {
  if (!isFloatingType(dtype) && dtype != kLong) throw_no_kernel("cumsum", dtype);
  const Space<2> others = make_space(lines);
  if (others.numel == 0) return;
  visit_numeric(dtype, [&](auto zero) {
    using T = decltype(zero);
    using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
    if constexpr (!std::is_same_v<T, int32_t>)
      GB_LAUNCH((cumsum_kernel<T, Sum>), grid_of(others.numel), threads_for(n), 0, stream, static_cast<T*>(out),
                static_cast<const T*>(in), n, out_stride, in_stride, others);
  });
}

}  // namespace gb::cuda
