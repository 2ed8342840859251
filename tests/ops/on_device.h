// A case's arguments on another device: the same values, sizes, strides and offsets. For the tests that compare a
// device with the CPU.
#pragma once

#include "tests/ops/run_case.h"

namespace gb::tests {

// Numbers (0-dim tensors that count as such in type promotion) stay on the CPU, as the free functions pass them. A
// factory without a device gets this one.
Stack on_device(const OpCase& op_case, const Stack& arguments, Device device);

// The boxed call with these arguments.
Run run_with(const OpCase& op_case, Stack arguments);

DifferentiableCase on_device(const OpCase& op_case, const DifferentiableCase& made, Device device);

}  // namespace gb::tests
