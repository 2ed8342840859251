// The swizzles of shared memory, as the copy engine (tensor_map.h) and wgmma (wgmma.h) know them. The numbers are
// those of a wgmma descriptor.
#pragma once

#include <cstdint>

#include "kernels/cuda/qualifiers.h"

namespace gb::cuda {

enum class Swizzle : uint32_t { None = 0, Bytes128 = 1, Bytes64 = 2, Bytes32 = 3 };

// Bytes of a row whose 16-byte pieces are exchanged; without a swizzle one piece.
__host__ __device__ constexpr uint32_t row_bytes(Swizzle swizzle) {
  return swizzle == Swizzle::None ? 16 : 256u >> static_cast<uint32_t>(swizzle);
}

// Where the byte that would lie at `address` of shared memory lies. Its own inverse.
__host__ __device__ constexpr uint32_t swizzled(uint32_t address, Swizzle swizzle) {
  return address ^ ((address >> 3) & (row_bytes(swizzle) - 16));
}

}  // namespace gb::cuda
