// CUDA's built-in types as far as our kernels use them, so that a host build needs no CUDA toolkit.
// They stand in the global namespace, as nvcc has them.
#pragma once

struct uint3 {
  unsigned x, y, z;
};

// Sizes of a grid or a block; unnamed dimensions are 1.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
