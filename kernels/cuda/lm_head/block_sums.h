// The end of a backward whose blocks stay: each block has dW and db of its own rows, and what they have is added up.
#pragma once

#include "kernels/cuda/lm_head/lm_head.h"

namespace gb::cuda {

// Bytes of scratch memory for what the blocks have: float [blocks, out * in + out], dW and then db.
inline size_t bytes_of_blocks(const LmHeadCall& a, unsigned blocks) {
  return sizeof(float) * blocks * static_cast<size_t>(a.out * a.in + a.out);
}
// From a.scratch to grad_weight [out, in] and grad_bias [out] or null, in the order of the blocks: two runs agree bit
// for bit.
void sum_blocks(const LmHeadCall& a, void* grad_weight, void* grad_bias, unsigned blocks);

}  // namespace gb::cuda
