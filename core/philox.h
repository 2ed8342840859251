// Philox4x32-10: random numbers as a function. A key (the seed) and a counter go in, 128 random bits come
// out; there is no state.
//
// Number n of a sequence costs the same for every n and needs none of the numbers before it, so a tensor can
// be filled in any order, or in parallel, with the same result. Source: Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3" (2011); PyTorch's is ATen/core/PhiloxRNGEngine.h.
#pragma once

#include <array>
#include <cstdint>

namespace gb {

using PhiloxBlock = std::array<uint32_t, 4>;

// Ten rounds: two 32 x 32 -> 64 bit products each, their halves exchanged and mixed with a key that grows by
// a constant.
constexpr PhiloxBlock philox4x32_10(PhiloxBlock counter, uint64_t key) {
  uint32_t key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(a)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

}  // namespace gb
