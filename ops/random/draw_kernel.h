// Numbers drawn on the tensor's own device. The CPU draws in in_place.cc, also for devices that have no kernel here, and
// then copies; a device registers a DrawKernel at program start, which must draw the same numbers (core/generator.h).
#pragma once

#include "core/drawing.h"
#include "core/generator.h"
#include "core/tensor.h"

namespace gb {

// Element i of self, counted row by row, becomes number i of `numbers`, as `drawing` makes it.
using DrawKernel = void(const Tensor& self, const RandomNumbers& numbers, const Drawing& drawing);

DrawKernel* draw_kernel_of(DeviceType type);  // null: none
struct RegisterDrawKernel {
  RegisterDrawKernel(DeviceType type, DrawKernel* kernel);
};

}  // namespace gb
