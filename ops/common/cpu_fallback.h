// cpu_fallback: a boxed kernel that runs an operator on the CPU for a backend that has no kernel of its own.
//
//   1. every tensor argument goes to the CPU, lists and optionals too; a Device argument becomes "cpu"
//   2. the operator's CPU kernel runs, by redispatchBoxed
//   3. what the schema says is written (`Tensor(a!)`) is copied back into the caller's tensor
//   4. results come to the backend's device; one that is a written argument is the caller's tensor itself
//
// One function for every signature: that is what boxing is for. A backend registers it as its fallback and
// then replaces it operator by operator (labs/private_use1.h). The device needs copy_ to and from the CPU.
// Limits: a view cannot be made this way, its result is a copy (a warning, or an error with
// `error_on_views`); a CPU kernel that resizes a written argument is refused. Follows
// ATen/native/CPUFallback.h.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb::native {

void cpu_fallback(const OperatorHandle& op, Stack* stack, bool error_on_views = false,
                  DispatchKey cpu_dispatch_key = DispatchKey::CPU);

}  // namespace gb::native
