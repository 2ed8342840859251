// register_autocast: the dtype in which an operator runs while autocast is on.
//
//   writes      AutocastCPU or AutocastCUDA
//
// Why there: the highest keys of all, above Autograd, so that the cast itself is recorded, and the gradient comes back
// in the dtype of the original argument. The kernel casts every floating tensor argument of that device, in lists and
// optionals too, and calls the operator again with autocast off. float64 stays as it is, as in PyTorch: nobody chose it
// by accident. Without autocast the key is not in the set of any call, and the kernel costs nothing.
// In PyTorch: CustomOpDef.register_autocast, and _cast in torch/amp/autocast_mode.py.
#pragma once

#include "library/registration.h"

namespace gb {

// Throws ValueError for a device other than the CPU and CUDA, and for a dtype that is not floating point; Error where
// the operator has a kernel there already.
void register_autocast(Library& library, const char* op, DeviceType device, ScalarType dtype,
                       Place at = {__builtin_FILE(), __builtin_LINE()});

}  // namespace gb
