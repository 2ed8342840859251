// Two steps that the kernels of this folder share.
#pragma once

#include "ops/factories/backend_select.h"

namespace gb {

Tensor filled(Tensor fresh, const Scalar& value);  // fill_, without counting a version

TensorOptions to_options(OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin_memory);

}  // namespace gb
