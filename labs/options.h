// The flags of the labs: which tokens, which dtype, which device, which seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device.h"
#include "core/scalar_type.h"

namespace gb::labs {

struct Options {
  std::string tokens = "i eat";  // two words of the vocabulary
  ScalarType dtype = kFloat;     // float32 or float64
  Device device = Device(kCPU);  // cpu or cuda
  uint64_t seed = 0;             // of every weight
  bool help = false;
};

// Arguments without the program's name. Throws ValueError for a flag or a value that is not known.
Options parse_options(const std::vector<std::string>& arguments);
std::string usage();

}  // namespace gb::labs
