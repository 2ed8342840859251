// A row, or a block's slice of one, in the registers and the shared memory of one block of kMostThreads threads.
#pragma once

#include "kernels/cuda/softmax/online.h"
#include "kernels/cuda/softmax/rest.h"
#include "kernels/cuda/softmax/shapes.h"
#include "kernels/cuda/softmax/share.h"

namespace gb::cuda {

// Vectors per thread in registers: 32 elements forward, 16 each of y and dy backward.
template <class T>
inline constexpr int kForwardVectors = 32 / kWidth<T>;
template <class T>
inline constexpr int kBackwardVectors = 16 / kWidth<T>;

// Of the 227 KB that a block may have, less what the kernels declare themselves.
inline constexpr size_t kMostRestBytes = 226 * 1024;

// Bytes of shared memory for a row of `cols`; there is some where `cols` elements do not fit into registers.
inline size_t rest_bytes(ScalarType dtype, int64_t cols, int64_t in_registers) {
  return cols <= in_registers ? 0 : static_cast<size_t>(vectors_in(dtype, cols - in_registers)) * 16;
}
inline size_t forward_rest_bytes(ScalarType dtype, int64_t cols) {
  return rest_bytes(dtype, cols, kMostForwardCols);
}
inline size_t backward_rest_bytes(ScalarType dtype, int64_t cols) {  // y's and dy's
  return 2 * rest_bytes(dtype, cols, kMostBackwardCols);
}

template <class T>
class LongRow {
  using C = compute_t<T>;
  static constexpr int kVectors = kForwardVectors<T>;

 public:
  // place: shared, forward_rest_bytes
  __device__ LongRow(const Row<const T>& x, bool whole, Vector<T>* place)
      : x_(x),
        whole_(whole),
        rest_(place, x, kVectors * kMostThreads, thread(), kMostThreads),
        share_(load_share<kVectors>(x, whole, thread(), kMostThreads, -INFINITY)) {
    Rest<T>::wait();
  }

  // Of the elements that this warp holds, in each lane.
  __device__ MaxSum<C> max_sum_of_warp() {
    Vector<T> largest_rest;
    largest_rest.fill(-INFINITY);
    rest_.for_each_vector([&](int, const Vector<T>& v) { largest_rest = larger(largest_rest, v); });
    C max = largest(share_, whole_);
    for_each(largest_rest, [&](C value) { max = Larger()(value, max); });
    max = across_lanes<32>(max, Larger());
    C sum = 0;
    const auto add = [&](C value) { sum += exp_minus(value, base_of(max)); };
    for_each_value(share_, whole_, add);
    rest_.for_each_vector([&](int, const Vector<T>& v) { for_each(v, add); });
    return {max, across_lanes<32>(sum, Plus())};
  }

  // out: like x; f(value) of each element
  template <class F>
  __device__ void store(T* out, F f) {
    const Row<T> y(out, x_);
    store_share(y, share_, whole_, thread(), kMostThreads, f);
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
template <class T>
class LongRowPair {
  using C = compute_t<T>;
  static constexpr int kVectors = kBackwardVectors<T>;

 public:
  // dy: like y; place: shared, backward_rest_bytes
  __device__ LongRowPair(const T* dy, const Row<const T>& y, bool whole, Vector<T>* place)
      : y_(y),
        whole_(whole),
        y_rest_(place, y, kFirst, thread(), kMostThreads),
        dy_rest_(place + max(0, y.vectors - kFirst), Row<const T>(dy, y), kFirst, thread(), kMostThreads),
        y_share_(load_share<kVectors>(y, whole, thread(), kMostThreads, 0)),
        dy_share_(load_share<kVectors>(Row<const T>(dy, y), whole, thread(), kMostThreads, 0)) {
    Rest<T>::wait();
  }

  // The sum of term(dy, y) over the elements that this thread holds.
  template <class F>
  __device__ C sum(F term) {
    C total = 0;
    const auto add = [&](C dy, C y) { total += term(dy, y); };
    for_each_pair(dy_share_, y_share_, whole_, add);
    y_rest_.for_each_vector([&](int v, const Vector<T>& y) { for_each(dy_rest_[v], y, add); });
    return total;
  }

  // dx: like y; f(dy, y) of each pair
  template <class F>
  __device__ void store(T* dx, F f) {
    const Row<T> row(dx, y_);
    store_pair(row, dy_share_, y_share_, whole_, thread(), kMostThreads, f);
    y_rest_.for_each_vector(
        [&](int v, const Vector<T>& y) { gb::cuda::store<T>(row.vector(v), changed(dy_rest_[v], y, f)); });
  }

 private:
  static constexpr int kFirst = kVectors * kMostThreads;
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  Row<const T> y_;
  bool whole_;
  Rest<T> y_rest_, dy_rest_;
  Share<T, kVectors> y_share_, dy_share_;
};

}  // namespace gb::cuda
