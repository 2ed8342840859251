// Drawing: what becomes of the numbers that a generator gives (generator.h): a distribution with its parameters, as data,
// so that each device's kernel can make it.
#pragma once

#include <cstdint>

namespace gb {

enum class Distribution : int8_t {
  Normal,     // mean a, standard deviation b
  Uniform,    // [a, b): a + (b - a) u, where u is at most below_one
  Bernoulli,  // 1 with probability a, else 0
  Integers    // from, from + 1, ... range of them; range 0: 2^64
};

struct Drawing {
  Distribution distribution;
  double a = 0, b = 0;
  double below_one = 1;  // the largest number below 1 that the tensor's dtype has
  uint64_t from = 0, range = 0;
};

}  // namespace gb
