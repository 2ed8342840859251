// The arguments of a boxed call, copied, or turned into fakes. What is no tensor stays what it is; so do None and
// undefined tensors.
#pragma once

#include "dispatcher/operator_handle.h"
#include "dispatcher/tensors_in_value.h"

namespace gb {

// Copies with the same sizes, strides and requires_grad, in which what shared memory still does.
Stack copies_of(ArrayRef<IValue> arguments);
// The same on Meta, without gradients. A Device among the arguments becomes Meta; so does one left out (None), where no
// tensor says otherwise. REQUIRES one value per argument of the schema.
Stack fakes_of(const FunctionSchema& schema, ArrayRef<IValue> arguments);

}  // namespace gb
