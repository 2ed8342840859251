// Random values through every crossing of the box: unboxed or boxed call, unboxed or boxed kernel. What a
// kernel received and what the caller got back are written down bit for bit, as text; the two libraries write
// the same text for the same seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gb::tests::boxing {

struct Crossing {
  std::string what;               // "(Tensor self, int n) -> Tensor, unboxed call, boxed kernel"
  std::string sent, received;     // the arguments: by the caller, in the kernel
  std::string returned, arrived;  // the results: by the kernel, at the caller
};

// Every signature, four crossings each, with the values of this seed.
std::vector<Crossing> cross_glassbox(uint64_t seed);
std::vector<Crossing> cross_libtorch(uint64_t seed);  // random_boxing_bridge.cc

}  // namespace gb::tests::boxing
