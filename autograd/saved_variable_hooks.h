// SavedVariableHooks: a user's pair of functions in place of a saved tensor: pack is given it when it is saved, unpack
// gives it back when backward asks. Names follow torch/csrc/autograd/saved_variable_hooks.h.
#pragma once

#include "core/tensor.h"

namespace gb::autograd {

struct SavedVariableHooks {
  virtual ~SavedVariableHooks() = default;
  virtual void call_pack_hook(const Tensor& tensor) = 0;
  virtual Tensor call_unpack_hook() = 0;
};

}  // namespace gb::autograd
