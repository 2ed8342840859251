// The step of make_tensor_map that differs between the builds: arguments that are known to be right into a map.
#pragma once

#include "kernels/cuda/instructions/tensor_map.h"

namespace gb::cuda {

TensorMap encode(const TensorMapArgs& args);  // tensor_map_driver.cc, tensor_map_host.cc

}  // namespace gb::cuda
