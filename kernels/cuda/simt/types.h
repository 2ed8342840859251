// CUDA's built-in types as far as our kernels use them, so that a host build needs no CUDA toolkit.
// They stand in the global namespace, as nvcc has them. The alignment is what makes one load of 16 bytes of a
// float4; the undefined-behaviour sanitizer (alignment) finds a pointer that has not got it.
#pragma once

struct uint3 {
  unsigned x, y, z;
};

// Sizes of a grid or a block; unnamed dimensions are 1.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace gb::simt {
template <class T>
struct alignas(2 * sizeof(T)) Two {
  T x, y;
};
template <class T>
struct alignas(4 * sizeof(T)) Four {
  T x, y, z, w;
};
}  // namespace gb::simt

using int2 = gb::simt::Two<int>;
using uint2 = gb::simt::Two<unsigned>;
using float2 = gb::simt::Two<float>;
using double2 = gb::simt::Two<double>;
using int4 = gb::simt::Four<int>;
using uint4 = gb::simt::Four<unsigned>;
using float4 = gb::simt::Four<float>;

inline int2 make_int2(int x, int y) { return {x, y}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
