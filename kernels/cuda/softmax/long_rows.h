// A row, or a block's slice of one, in the registers and the shared memory of one block of kThreads threads.
#pragma once

#include "kernels/cuda/softmax/online.h"
#include "kernels/cuda/softmax/rest.h"
#include "kernels/cuda/softmax/shapes.h"
#include "kernels/cuda/softmax/share.h"

namespace gb::cuda {

// What a thread holds in registers: 8 vectors of the row (128 bytes); backward 16 elements each of y and dy.
inline constexpr int kRowVectors = 8;
inline constexpr int pair_vectors(size_t element_size) { return element_size == 2 ? 2 : 4; }

// Blocks of 512 threads, two to a multiprocessor: while one waits for its warps, the other loads or stores. Each may
// use half of the shared memory, less 1 KB that the system takes and what the kernels declare themselves.
inline constexpr int kLongThreads = 512;
inline constexpr size_t kMostRestBytes = 112 * 1024;

// Bytes of shared memory for a row of `cols`; there is some where the row does not fit into registers.
inline size_t rest_bytes(ScalarType dtype, int64_t cols, int vectors_per_thread) {
  const int64_t vectors = vectors_in(dtype, cols) - kLongThreads * vectors_per_thread;
  return vectors <= 0 ? 0 : static_cast<size_t>(vectors) * 16;
}
inline size_t forward_rest_bytes(ScalarType dtype, int64_t cols) {
  return rest_bytes(dtype, cols, kRowVectors);
}
inline size_t backward_rest_bytes(ScalarType dtype, int64_t cols) {  // y's and dy's
  return 2 * rest_bytes(dtype, cols, pair_vectors(elementSize(dtype)));
}

template <class T, int kThreads, int kVectors>
class LongRow {
  using C = compute_t<T>;

 public:
  // place: shared, forward_rest_bytes
  __device__ LongRow(const Row<const T>& x, bool whole, Vector<T>* place)
      : x_(x),
        whole_(whole),
        rest_(place, x, kVectors * kThreads, thread(), kThreads),
        share_(load_share<kVectors>(x, whole, thread(), kThreads, -INFINITY)) {
    Rest<T>::wait();
  }

  // Of the elements that this warp holds, in each lane.
  template <class F>
  __device__ MaxSum<C> max_sum_of_warp() {
    Vector<T> largest_rest;
    largest_rest.fill(-INFINITY);
    rest_.for_each_vector([&](int, const Vector<T>& v) { largest_rest = larger(largest_rest, v); });
    const C max =
        across_lanes<32>(Larger()(largest(share_, whole_), largest(largest_rest)), Larger());
    const auto term = [&](C value) { return F::of(value, base_of(max)); };
    C sum = sum_of(share_, whole_, term);
    rest_.for_each_vector([&](int, const Vector<T>& v) { sum += sum_of(v, term); });
    return {max, across_lanes<32>(sum, Plus())};
  }

  // out: like x; f(value) of each element
  template <class F>
  __device__ void store(T* out, F f) {
    const Row<T> y(out, x_);
    store_share(y, share_, whole_, thread(), kThreads, f);
    rest_.for_each_vector([&](int v, const Vector<T>& x) { gb::cuda::store<T>(y.vector(v), changed(x, f)); });
  }

 private:
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  Row<const T> x_;
  bool whole_;
  Rest<T> rest_;  // before share_: its copies start first, as they need no registers
  Share<T, kVectors> share_;
};

// The rows of dy and y that belong together.
template <class T, int kThreads, int kVectors>
class LongRowPair {
  using C = compute_t<T>;

 public:
  // dy: like y; place: shared, backward_rest_bytes
  __device__ LongRowPair(const T* dy, const Row<const T>& y, bool whole, Vector<T>* place)
      : y_(y),
        whole_(whole),
        y_rest_(place, y, kFirst, thread(), kThreads),
        dy_rest_(place + max(0, y.vectors - kFirst), Row<const T>(dy, y), kFirst, thread(), kThreads),
        y_share_(load_share<kVectors>(y, whole, thread(), kThreads, 0)),
        dy_share_(load_share<kVectors>(Row<const T>(dy, y), whole, thread(), kThreads, 0)) {
    Rest<T>::wait();
  }

  // The sum of term(dy, y) over the elements that this thread holds.
  template <class F>
  __device__ C sum(F term) {
    C total = sum_of(dy_share_, y_share_, whole_, term);
    y_rest_.for_each_vector([&](int v, const Vector<T>& y) { total += sum_of(dy_rest_[v], y, term); });
    return total;
  }

  // dx: like y; f(dy, y) of each pair
  template <class F>
  __device__ void store(T* dx, F f) {
    const Row<T> row(dx, y_);
    store_pair(row, dy_share_, y_share_, whole_, thread(), kThreads, f);
    y_rest_.for_each_vector(
        [&](int v, const Vector<T>& y) { gb::cuda::store<T>(row.vector(v), changed(dy_rest_[v], y, f)); });
  }

 private:
  static constexpr int kFirst = kVectors * kThreads;
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  Row<const T> y_;
  bool whole_;
  Rest<T> y_rest_, dy_rest_;
  Share<T, kVectors> y_share_, dy_share_;
};

}  // namespace gb::cuda
