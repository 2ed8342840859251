// A row as 16-byte vectors, from any address.
//
//   address   ...|..16 bytes..|..16 bytes..|..16 bytes..|...
//   row            [head][   vector   ][   vector   ][tail]
//
// A thread's widest load is 16 bytes, at a multiple of 16. A row that starts or ends between two multiples has up to
// kWidth - 1 elements on either side of its whole vectors, which the threads take one by one. A kernel needs its
// rows of input and output cut alike (cut_alike in shapes.h); where they are not, a rung below serves.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/softmax/rows.h"

namespace gb::cuda {

template <class T>
inline constexpr int kWidth = 16 / static_cast<int>(sizeof(T));  // elements in a vector

template <class T>
struct Row {
  T* data;      // [cols]
  int head;     // elements before the first whole vector
  int vectors;  // whole vectors
  int tail;     // elements after the last

  // whole: the row is known to have neither head nor tail.
  __device__ Row(T* x, int cols, bool whole) : data(x), head(0), vectors(cols / kWidth<T>), tail(0) {
    if (whole) return;
    const int past = static_cast<int>(reinterpret_cast<uintptr_t>(x) % 16 / sizeof(T));
    head = past == 0 ? 0 : kWidth<T> - past;
    if (head > cols) head = cols;
    vectors = (cols - head) / kWidth<T>;
    tail = cols - head - vectors * kWidth<T>;
  }
  // The row `x`, cut where `like` is cut.
  template <class U>
  __device__ Row(T* x, const Row<U>& like)
      : data(x), head(like.head), vectors(like.vectors), tail(like.tail) {}

  __device__ T* vector(int v) const { return data + head + v * kWidth<T>; }
  __device__ T* after() const { return vector(vectors); }  // [tail]
};

// kWidth elements in four registers.
template <class T>
struct Vector {
  uint4 raw;

  __device__ void get(compute_t<T> (&value)[kWidth<T>]) const {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<T, BFloat16>) {  // a bfloat16 is the upper half of a float: one instruction each
      const uint32_t pair[4] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        value[2 * i] = bits_float(pair[i] << 16);
        value[2 * i + 1] = bits_float(pair[i] & 0xffff0000);
      }
      return;
    }
#endif
    T element[kWidth<T>];
    memcpy(element, &raw, 16);
#pragma unroll
    for (int i = 0; i < kWidth<T>; ++i) value[i] = static_cast<compute_t<T>>(element[i]);
  }
  __device__ void set(const compute_t<T> (&value)[kWidth<T>]) {
    T element[kWidth<T>];
#pragma unroll
    for (int i = 0; i < kWidth<T>; ++i) element[i] = static_cast<T>(value[i]);
    memcpy(&raw, element, 16);
  }
  __device__ void fill(compute_t<T> value) {
    compute_t<T> values[kWidth<T>];
#pragma unroll
    for (int i = 0; i < kWidth<T>; ++i) values[i] = value;
    set(values);
  }
  // Tells the compiler that the registers may have changed. Else it keeps the elements of half types converted to
  // float from one pass over them to the next, which takes twice the registers, and soon more than there are.
  __device__ void convert_again() {
#ifdef __CUDA_ARCH__
    asm volatile("" : "+r"(raw.x), "+r"(raw.y), "+r"(raw.z), "+r"(raw.w));
#endif
  }
};

// from, to: kWidth elements at a multiple of 16 bytes.
template <class T>
__device__ Vector<T> load(const T* from) {
  return {*reinterpret_cast<const uint4*>(from)};
}
template <class T>
__device__ void store(T* to, const Vector<T>& v) {
  *reinterpret_cast<uint4*>(to) = v.raw;
}

// f(value) for each element of a vector; f(a, b) for the elements of two.
template <class T, class F>
__device__ Vector<T> changed(const Vector<T>& v, F f) {
  compute_t<T> value[kWidth<T>];
  v.get(value);
#pragma unroll
  for (int i = 0; i < kWidth<T>; ++i) value[i] = f(value[i]);
  Vector<T> result;
  result.set(value);
  return result;
}
template <class T, class F>
__device__ Vector<T> changed(const Vector<T>& a, const Vector<T>& b, F f) {
  compute_t<T> of_a[kWidth<T>], of_b[kWidth<T>];
  a.get(of_a);
  b.get(of_b);
#pragma unroll
  for (int i = 0; i < kWidth<T>; ++i) of_a[i] = f(of_a[i], of_b[i]);
  Vector<T> result;
  result.set(of_a);
  return result;
}
// The sum of f(value) over the elements of a vector, or of f(a, b) over those of two; added up as a tree, which rounds
// less than one after the other and lets additions overlap.
template <class C, int n>
__device__ C sum_of(C (&term)[n]) {
#pragma unroll
  for (int half = n / 2; half > 0; half /= 2)
#pragma unroll
    for (int i = 0; i < half; ++i) term[i] += term[i + half];
  return term[0];
}
template <class T, class F>
__device__ compute_t<T> sum_of(const Vector<T>& v, F f) {
  compute_t<T> value[kWidth<T>];
  v.get(value);
#pragma unroll
  for (int i = 0; i < kWidth<T>; ++i) value[i] = f(value[i]);
  return sum_of(value);
}
template <class T, class F>
__device__ compute_t<T> sum_of(const Vector<T>& a, const Vector<T>& b, F f) {
  compute_t<T> of_a[kWidth<T>], of_b[kWidth<T>];
  a.get(of_a);
  b.get(of_b);
#pragma unroll
  for (int i = 0; i < kWidth<T>; ++i) of_a[i] = f(of_a[i], of_b[i]);
  return sum_of(of_a);
}

// The larger of each two elements. Half types have an instruction that compares two pairs at once.
template <class T>
__device__ Vector<T> larger(const Vector<T>& a, const Vector<T>& b) {
#ifdef __CUDA_ARCH__
  const auto both = [](uint32_t a, uint32_t b) {
    uint32_t max = 0;
    if constexpr (std::is_same_v<T, BFloat16>)
      asm("max.bf16x2 %0, %1, %2;" : "=r"(max) : "r"(a), "r"(b));
    else if constexpr (std::is_same_v<T, Half>)
      asm("max.f16x2 %0, %1, %2;" : "=r"(max) : "r"(a), "r"(b));
    else
      max = float_bits(fmaxf(bits_float(a), bits_float(b)));
    return max;
  };
  return {{both(a.raw.x, b.raw.x), both(a.raw.y, b.raw.y), both(a.raw.z, b.raw.z), both(a.raw.w, b.raw.w)}};
#else
  return changed(a, b, Larger());
#endif
}
template <class T>
__device__ compute_t<T> largest(const Vector<T>& v) {
  compute_t<T> value[kWidth<T>];
  v.get(value);
#pragma unroll
  for (int i = 1; i < kWidth<T>; ++i) value[0] = Larger()(value[0], value[i]);
  return value[0];
}

}  // namespace gb::cuda
