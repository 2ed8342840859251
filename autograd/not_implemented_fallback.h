// What runs at Autograd, and at ADInplaceOrView, for an operator that has no kernel there. Both are boxed, so
// they serve any signature; what they need to know they read off the schema's alias annotations.
//
// Autograd: with gradients on, the outputs get a NotImplemented node: the forward works, and backward gives
// an error that names the operator. A gradient is never silently zero. Registered here as the fallback of all
// Autograd keys. ADInplaceOrView: written arguments get a new version, a declared view output becomes a view
// of the first argument. Not a fallback: m.impl("my_op", autogradNotImplementedInplaceOrViewFallback()) where
// an operator needs it. Names follow torch/csrc/autograd/autograd_not_implemented_fallback.h.
#pragma once

#include "dispatcher/library.h"

namespace gb {

CppFunction autogradNotImplementedFallback();
CppFunction autogradNotImplementedInplaceOrViewFallback();

}  // namespace gb
