// The flags of train_minigpt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device.h"

namespace gb::labs {

struct TrainingOptions {
  int64_t steps = 500;  // in all, those of a resumed run included
  int64_t batch = 32;   // lines in a step
  uint64_t seed = 1;    // of the weights and of the order of the lines
  double lr = 3e-3;
  double dropout = 0;
  Device device = Device(kCPU);
  std::string resume;           // a checkpoint to go on from; its own batch, seed, lr and dropout hold
  std::string out = "minigpt.out";  // the folder for checkpoint.safetensors and loss.svg
  bool help = false;
};

// Arguments without the program's name. Throws ValueError for a flag or a value that is not known.
TrainingOptions parse_training_options(const std::vector<std::string>& arguments);
std::string training_usage();

}  // namespace gb::labs
