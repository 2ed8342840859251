// stmatrix: a warp's 8 x 8 pieces of a product (mma_sync.h, wgmma.h) from registers to shared memory.
//
// The counterpart of ldmatrix. Lane (g, t), g = lane / 4 and t = lane % 4, has word t of line g of each of four
// pieces: elements 2t and 2t + 1, of 16 bits. stmatrix_trans writes the pieces transposed: element g of lines 2t and
// 2t + 1. Line r of piece q, 16 bytes, goes to the address that lane 8q + r names, a multiple of 16. So a product lies
// in memory the other way round than its fragments do, for the price of one instruction.
#pragma once

#include <cstdint>

#include "kernels/cuda/launch.h"

namespace gb::cuda {

#ifdef __CUDACC__

__device__ __forceinline__ void stmatrix_trans(void* to, const uint32_t (&piece)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "r"(piece[0]), "r"(piece[1]), "r"(piece[2]), "r"(piece[3])
               : "memory");
}

#else

struct LaneOfStmatrix {
  uint32_t piece[4];
  uint32_t line[4];  // the 16 bytes for the address that this lane names
};
inline void stmatrix_trans(void* to, const uint32_t (&piece)[4], GB_SIMT_SITE) {
  LaneOfStmatrix mine = {{piece[0], piece[1], piece[2], piece[3]}, {}};
  const auto hand_out = [](LaneOfStmatrix* lane) {
    for (int i = 0; i < 32; ++i) {
      const int q = i / 8, r = i % 8;  // element g of line r: lane g has it in word r / 2
      const auto element = [&](int g) { return lane[g * 4 + r / 2].piece[q] >> r % 2 * 16 & 0xffff; };
      for (int w = 0; w < 4; ++w) lane[i].line[w] = element(2 * w) | element(2 * w + 1) << 16;
    }
  };
  simt::together("stmatrix_trans", mine, hand_out, {file, line});
  *static_cast<uint4*>(to) = {mine.line[0], mine.line[1], mine.line[2], mine.line[3]};
}

#endif

}  // namespace gb::cuda
