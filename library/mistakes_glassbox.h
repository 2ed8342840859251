// The mistakes of mistakes_of.h as Functions of glassbox.
#pragma once

#include "autograd/function.h"
#include "library/mistakes_of.h"
#include "ops/ops.h"

namespace gb::tests {

struct GlassboxFunctions {
  using Tensor = gb::Tensor;
  using variable_list = autograd::variable_list;
  using AutogradContext = autograd::AutogradContext;
  template <class T>
  using Function = autograd::Function<T>;
};

using Mistakes = MistakesOf<GlassboxFunctions>;

}  // namespace gb::tests
