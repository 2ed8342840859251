// register_inplace_or_view: what an operator whose schema has alias annotations owes to autograd, without a formula.
//
//   writes      ADInplaceOrView
//
// Why there: below Autograd, because a version must also move while nothing is recorded, and above the backend keys,
// because it is the same on all devices. After the kernel, each argument with `!` gets a new version, so that a
// backward pass that saved it notices; a result declared as a view of the first argument becomes one.
// custom_op does this by itself for a schema with annotations; the kernel below then only computes.
// In PyTorch: adinplaceorview_impl in torch/_library/custom_ops.py.
#pragma once

#include "library/registration.h"

namespace gb {

// Nothing is written where the schema has no annotation.
void register_inplace_or_view(Library& library, const char* op, Place at = {__builtin_FILE(), __builtin_LINE()});

}  // namespace gb
