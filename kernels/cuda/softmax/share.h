// Share: what one of the threads that work on a row holds of it in registers.
//
// Of kThreads-fold interleaved vectors, thread t has number t, t + threads, t + 2 threads, ...: neighbouring threads
// have neighbouring vectors. Places past the row hold `fill`, which must not change the result.
#pragma once

#include "kernels/cuda/softmax/vectors.h"

namespace gb::cuda {

// kVectors vectors, and of the row's head and tail kEdges elements each (one, where there are at least kWidth - 1
// threads).
template <class T, int kVectors, int kEdges = 1>
struct Share {
  using C = compute_t<T>;
  Vector<T> vector[kVectors];
  C head[kEdges], tail[kEdges];  // read only where the row is not whole

  // Half types are converted again in each pass when a thread has more than 16 elements (Vector::convert_again).
  static constexpr bool kConvertAgain = sizeof(T) == 2 && kVectors * kWidth<T> > 16;
};

template <int kVectors, int kEdges = 1, class T>
__device__ Share<T, kVectors, kEdges> load_share(const Row<const T>& row, bool whole, int thread, int threads,
                                                 compute_t<T> fill) {
  Share<T, kVectors, kEdges> share;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const int v = thread + i * threads;
    if (v < row.vectors)
      share.vector[i] = load<T>(row.vector(v));
    else
      share.vector[i].fill(fill);
  }
#pragma unroll
  for (int i = 0; i < kEdges; ++i) {
    const int e = thread + i * threads;
    share.head[i] = !whole && e < row.head ? static_cast<compute_t<T>>(row.data[e]) : fill;
    share.tail[i] = !whole && e < row.tail ? static_cast<compute_t<T>>(row.after()[e]) : fill;
  }
  return share;
}

// The sum of f(value) over the elements; where the row is whole, without the edges.
template <class T, int kVectors, int kEdges, class F>
__device__ compute_t<T> sum_of(Share<T, kVectors, kEdges>& share, bool whole, F f) {
  compute_t<T> sum = 0;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    if constexpr (Share<T, kVectors>::kConvertAgain) share.vector[i].convert_again();
    sum += sum_of(share.vector[i], f);
  }
  if (whole) return sum;
#pragma unroll
  for (int i = 0; i < kEdges; ++i) sum += f(share.head[i]) + f(share.tail[i]);
  return sum;
}

// The largest element, or one of the others where that is NaN.
template <class T, int kVectors, int kEdges, class C = compute_t<T>>
__device__ C largest(const Share<T, kVectors, kEdges>& share, bool whole) {
  Vector<T> max = share.vector[0];
#pragma unroll
  for (int i = 1; i < kVectors; ++i) max = larger(max, share.vector[i]);
  C result = largest(max);
  if (whole) return result;
#pragma unroll
  for (int i = 0; i < kEdges; ++i) result = Larger()(result, Larger()(share.head[i], share.tail[i]));
  return result;
}

// Stores f(value) for each element that lies in the row.
template <class T, int kVectors, int kEdges, class F>
__device__ void store_share(const Row<T>& row, Share<T, kVectors, kEdges>& share, bool whole, int thread,
                            int threads, F f) {
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const int v = thread + i * threads;
    if constexpr (Share<T, kVectors>::kConvertAgain) share.vector[i].convert_again();
    if (v < row.vectors) store<T>(row.vector(v), changed(share.vector[i], f));
  }
  if (whole) return;
#pragma unroll
  for (int i = 0; i < kEdges; ++i) {
    const int e = thread + i * threads;
    if (e < row.head) row.data[e] = static_cast<T>(f(share.head[i]));
    if (e < row.tail) row.after()[e] = static_cast<T>(f(share.tail[i]));
  }
}

// The same for two rows that are cut alike: the sum of f(a, b), and f(a, b) stored in a third row.
template <class T, int kVectors, int kEdges, class F>
__device__ compute_t<T> sum_of(Share<T, kVectors, kEdges>& a, Share<T, kVectors, kEdges>& b, bool whole, F f) {
  compute_t<T> sum = 0;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) sum += sum_of(a.vector[i], b.vector[i], f);
  if (whole) return sum;
#pragma unroll
  for (int i = 0; i < kEdges; ++i) sum += f(a.head[i], b.head[i]) + f(a.tail[i], b.tail[i]);
  return sum;
}
template <class T, int kVectors, int kEdges, class F>
__device__ void store_pair(const Row<T>& row, Share<T, kVectors, kEdges>& a, Share<T, kVectors, kEdges>& b,
                           bool whole, int thread, int threads, F f) {
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const int v = thread + i * threads;
    if constexpr (Share<T, 2 * kVectors>::kConvertAgain) {
      a.vector[i].convert_again();
      b.vector[i].convert_again();
    }
    if (v < row.vectors) store<T>(row.vector(v), changed(a.vector[i], b.vector[i], f));
  }
  if (whole) return;
#pragma unroll
  for (int i = 0; i < kEdges; ++i) {
    const int e = thread + i * threads;
    if (e < row.head) row.data[e] = static_cast<T>(f(a.head[i], b.head[i]));
    if (e < row.tail) row.after()[e] = static_cast<T>(f(a.tail[i], b.tail[i]));
  }
}

}  // namespace gb::cuda
