// Rest: the vectors of a row that no longer fit into a block's registers, in its dynamic shared memory.
//
// A thread keeps there the vectors whose numbers go on from its share's, and nobody else reads them, so they need no
// barrier. They come by asynchronous copies (Ampere and later), which pass no register: all of a row's bytes are on
// their way at once.
#pragma once

#include "kernels/cuda/softmax/vectors.h"

namespace gb::cuda {

template <class T>
class Rest {
 public:
  // place: [row.vectors - first], shared; the rest starts at vector number `first`
  __device__ Rest(Vector<T>* place, const Row<const T>& row, int first, int thread, int threads)
      : place_(place - first), first_(first + thread), end_(row.vectors), step_(threads) {
    for (int v = first_; v < end_; v += step_) copy_async(place_ + v, row.vector(v));
  }
  // Until the copies that this thread asked for are there; those of all its Rests.
  __device__ static void wait() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  }

  // f(number, vector) for each of this thread's vectors.
  template <class F>
  __device__ void for_each_vector(F f) const {
    for (int v = first_; v < end_; v += step_) f(v, place_[v]);
  }
  __device__ const Vector<T>& operator[](int v) const { return place_[v]; }

 private:
  __device__ static void copy_async(Vector<T>* to, const T* from) {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(to))),
                 "l"(__cvta_generic_to_global(from))
                 : "memory");
#else
    *to = load<T>(from);
#endif
  }

  Vector<T>* place_;  // of vector number 0, if it were there
  int first_, end_, step_;
};

}  // namespace gb::cuda
