// A tensor map for the host runner: the arguments themselves.
#include <cstring>

#include "kernels/cuda/instructions/tensor_map_encode.h"

namespace gb::cuda {

TensorMap encode(const TensorMapArgs& args) {
  static_assert(sizeof(TensorMapArgs) <= sizeof(TensorMap));
  TensorMap map = {};
  memcpy(&map, &args, sizeof args);
  return map;
}

}  // namespace gb::cuda
