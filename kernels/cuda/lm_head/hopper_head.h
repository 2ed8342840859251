// What the kernels of rung 3 share, and some of it rungs 4 and 5: sizes, pairs, the tensor maps of x and W.
//
// A row of x or W, 64 elements of a half type, is the 128 bytes that the copy engine swizzles and that four products
// take along k. Where x is narrower, or W has fewer rows, the engine fills up with zeros.
#pragma once

#include <type_traits>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/element.h"
#include "kernels/cuda/instructions/tensor_map.h"
#include "kernels/cuda/lm_head/lm_head.h"

namespace gb::cuda {

inline constexpr int kIn = 64, kColumns = 200, kTile = 64;  // columns of x; columns of a warpgroup; rows of a tile
inline constexpr uint32_t kEightRows = 8 * 128;             // bytes: what a descriptor's stride is

// Two neighbours of a row, rounded to a half type, as one word of memory; and back.
template <class T>
__device__ uint32_t rounded_pair(float first, float second) {
#ifdef __CUDA_ARCH__  // one instruction for both
  uint32_t word;
  if constexpr (std::is_same_v<T, BFloat16>)
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  return word;
#endif
  return static_cast<uint32_t>(T(first).bits) | static_cast<uint32_t>(T(second).bits) << 16;
}
template <class T>
__device__ float2 pair_of(uint32_t word) {
  T first, second;
  first.bits = static_cast<uint16_t>(word), second.bits = static_cast<uint16_t>(word >> 16);
  return {static_cast<float>(first), static_cast<float>(second)};
}

inline TensorMap map_of_rows(const LmHeadCall& a, const void* data, int64_t rows, int box_rows) {
  TensorMapArgs map;
  map.dtype = a.dtype;
  map.data = data;
  map.sizes[0] = a.in, map.sizes[1] = rows;
  map.strides[0] = a.in;
  map.box[0] = kIn, map.box[1] = box_rows;
  map.swizzle = Swizzle::Bytes128;
  return make_tensor_map(map);
}
inline TensorMap map_of_x(const LmHeadCall& a) { return map_of_rows(a, a.x, a.rows, kTile); }
inline TensorMap map_of_weight(const LmHeadCall& a) { return map_of_rows(a, a.weight, a.out, kColumns); }

inline bool is_aligned(const void* data) { return reinterpret_cast<uintptr_t>(data) % 16 == 0; }

inline bool fits_hopper_head(const LmHeadCall& a) {
  return (a.dtype == kHalf || a.dtype == kBFloat16) && a.in <= kIn && a.out <= 3 * kColumns && a.out % 8 == 0 &&
         a.rows <= (int64_t{1} << 30) && can_map(a.dtype, a.x, a.in, a.in) &&
         can_map(a.dtype, a.weight, a.in, a.in) && is_hopper();
}

}  // namespace gb::cuda
