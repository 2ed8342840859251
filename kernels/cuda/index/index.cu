// gather and scatter_add: one thread per index element; and the check of the indices, one block that reports the
// first bad one.
#include <type_traits>

#include "kernels/cuda/element.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// index: elements of `space`. One block, so that "the first" needs no second kernel. ignored: one more value that is
// good, where there is one.
__global__ void find_bad_kernel(BadIndex* bad, const int64_t* index, Space<1> space, int64_t dim_size, int64_t ignored,
                                bool has_ignored) {
  __shared__ int64_t first[kThreads];  // each thread's first bad position, or numel
  int64_t mine = space.numel;
  for (int64_t i = threadIdx.x; i < space.numel && mine == space.numel; i += blockDim.x) {
    const int64_t value = index[space.at(i).of[0]];
    if ((value < 0 || value >= dim_size) && !(has_ignored && value == ignored)) mine = i;
  }
  first[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half && first[threadIdx.x + half] < first[threadIdx.x])
      first[threadIdx.x] = first[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const bool found = first[0] < space.numel;
    bad->position = found ? first[0] : -1;
    bad->value = found ? index[space.at(first[0]).of[0]] : 0;
  }
}

// out, in, index: elements of `space`; in's stride along the gathered dimension is 0 there and dim_stride
// here
template <class Bits>
__global__ void gather_kernel(Bits* out, const Bits* in, const int64_t* index, Space<3> space,
                              int64_t dim_stride) {
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const Offsets<3> at = space.at(i);
  out[at.of[0]] = in[at.of[1] + index[at.of[2]] * dim_stride];
}

__device__ inline void add_to(float* p, float v) { atomicAdd(p, v); }
__device__ inline void add_to(double* p, double v) { atomicAdd(p, v); }
__device__ inline void add_to(int32_t* p, int32_t v) { atomicAdd(p, v); }
__device__ inline void add_to(int64_t* p,
                              int64_t v) {  // two's complement: the unsigned addition is the signed one
  atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(v));
}

// Half types have no such instruction on every card: the two bytes are exchanged, if nobody else has written meanwhile.
template <class Half16>
__device__ void add_to(Half16* p, Half16 v) {
  static_assert(sizeof(Half16) == 2, "Half or BFloat16");
  unsigned short* const bits = &p->bits;
  unsigned short expected = atomicCAS(bits, 0, 0);  // an atomic read
  for (;;) {
    Half16 old;
    old.bits = expected;
    const Half16 sum(static_cast<float>(old) + static_cast<float>(v));
    const unsigned short found = atomicCAS(bits, expected, sum.bits);
    if (found == expected) return;
    expected = found;
  }
}

// A sum of truths is their or: whoever writes, writes true.
__device__ void add_to(bool* sum, bool value) {
  if (value) *sum = true;
}

// self, src, index: elements of `space`; self's stride along the dimension is 0 there and dim_stride here
template <class T>
__global__ void scatter_add_kernel(T* self, const T* src, const int64_t* index, Space<3> space,
                                   int64_t dim_stride) {
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const Offsets<3> at = space.at(i);
  add_to(self + at.of[0] + index[at.of[2]] * dim_stride, src[at.of[1]]);
}

}  // namespace

void find_bad_index(BadIndex* bad, const int64_t* index, const Strided<1>& it, int64_t dim_size,
                    StreamHandle stream) {
  GB_LAUNCH((find_bad_kernel), 1, kThreads, 0, stream, bad, index, make_space(it), dim_size, int64_t{0}, false);
}

void find_bad_target(BadIndex* bad, const int64_t* target, int64_t rows, int64_t classes, int64_t ignore_index,
                     StreamHandle stream) {
  Space<1> space = {};
  space.ndim = 1, space.numel = space.sizes[0] = rows, space.strides[0][0] = 1;
  GB_LAUNCH((find_bad_kernel), 1, kThreads, 0, stream, bad, target, space, classes, ignore_index, true);
}

void gather(ScalarType dtype, void* out, const void* in, const int64_t* index, const Strided<3>& it,
            int64_t dim_stride, StreamHandle stream) {
  const Space<3> space = make_space(it);
  if (!isSupportedType(dtype)) throw_no_kernel("gather", dtype);
  visit_bits(dtype, [&](auto zero) {
    using Bits = decltype(zero);
    if (space.numel == 0) return;
    GB_LAUNCH((gather_kernel<Bits>), blocks_for(space.numel), kThreads, 0, stream, static_cast<Bits*>(out),
              static_cast<const Bits*>(in), index, space, dim_stride);
  });
}

void scatter_add(ScalarType dtype, void* self, const void* src, const int64_t* index, const Strided<3>& it,
                 int64_t dim_stride, StreamHandle stream) {
  const Space<3> space = make_space(it);
  const bool known = visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (space.numel == 0) return;
    GB_LAUNCH((scatter_add_kernel<T>), blocks_for(space.numel), kThreads, 0, stream, static_cast<T*>(self),
              static_cast<const T*>(src), index, space, dim_stride);
  });
  if (!known) throw_no_kernel("scatter_add", dtype);
}

}  // namespace gb::cuda
