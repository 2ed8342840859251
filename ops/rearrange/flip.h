// flip, for every device: what it checks and makes, and the copy that it is.
#pragma once

#include "core/tensor.h"
#include "kernels/cpu/strided.h"

namespace gb {

Tensor flip_result(const Tensor& self, IntArrayRef dims);  // uninitialised

// From where in self, by strides that are negative where a dimension is flipped.
struct FlipCopy {
  FlipCopy(const Tensor& result, const Tensor& self, IntArrayRef dims);
  cpu::Dims<2> space;  // result, self
  const void* from;
};

}  // namespace gb
