// The fused kernels of the optimizers, one pair per device: a step of one parameter in one pass over its memory.
//
// The CPU's are kernels/cpu/{adamw,sgd}.h. Those of a GPU are registered at program start by
// //kernels/cuda/optim:register, which comes with the operators' CUDA kernels; so the optimizers need no CUDA header.
#pragma once

#include "core/device.h"
#include "kernels/cpu/adamw.h"
#include "kernels/cpu/sgd.h"

namespace gb::optim {

struct FusedKernels {
  void (*adamw)(Device device, ScalarType dtype, const cpu::AdamWArrays& arrays, int64_t n, const cpu::AdamWStep& step);
  void (*sgd)(Device device, ScalarType dtype, const cpu::SgdArrays& arrays, int64_t n, const cpu::SgdStep& step);
};

// Throws NotImplementedError for a device without any. `optimizer`: who asks.
const FusedKernels& fused_kernels(Device device, const char* optimizer);

// A static of this registers `kernels`, which must stay.
struct RegisterFusedKernels {
  RegisterFusedKernels(DeviceType type, const FusedKernels* kernels);
};

}  // namespace gb::optim
