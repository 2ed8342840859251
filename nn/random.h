// Random: a seeded stream of numbers for initial weights.
//
// Equal seeds give equal streams: the bits are those of std::mt19937_64, which the standard fixes, and the way from
// bits to a normal number (Box-Muller) is written out here, because the standard leaves std::normal_distribution open.
// Streams are not PyTorch's: its generator walks in another order. Not for use from two threads at once.
#pragma once

#include <cstdint>
#include <random>

namespace gb::nn {

class Random {
 public:
  explicit Random(uint64_t seed) : bits_(seed) {}

  double uniform();  // in [0, 1), a multiple of 2^-53
  double normal();   // mean 0, standard deviation 1

 private:
  std::mt19937_64 bits_;
  double spare_ = 0;  // Box-Muller makes two numbers at a time
  bool has_spare_ = false;
};

// What modules take their first weights from, one stream per thread, seeded with 0.
Random& default_random();

}  // namespace gb::nn
