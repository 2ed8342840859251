// The tensors inside boxed values: found, replaced, copied, and turned into fakes.
//
// A value holds tensors as Tensor, Tensor[] or Tensor?[] (an optional that is there is its Tensor). None and undefined
// tensors stay what they are. In PyTorch: torch.utils._pytree, as torch.testing._internal.optests uses it.
#pragma once

#include <optional>
#include <vector>

#include "dispatcher/operator_handle.h"

namespace gb {

// Every defined tensor of a value, or of several, in order.
std::vector<Tensor> tensors_in(ArrayRef<IValue> values);

// The value with f(t) in the place of every defined tensor t; what holds none is returned as it is.
template <class F>
IValue map_tensors(const IValue& v, F&& f) {
  if (v.isTensor()) return v.toTensor().defined() ? IValue(Tensor(f(v.toTensor()))) : v;
  if (v.isTensorList()) {
    std::vector<Tensor> mapped = v.toTensorVector();
    for (Tensor& t : mapped) {
      if (t.defined()) t = f(t);
    }
    return IValue(mapped);
  }
  if (!v.isList() || tensors_in(v).empty()) return v;
  std::vector<std::optional<Tensor>> mapped;  // Tensor?[]
  for (const IValue& element : v.toListRef()) {
    mapped.push_back(element.isTensor() ? std::optional(map_tensors(element, f).toTensor()) : std::nullopt);
  }
  return IValue(mapped);
}

// Copies with the same sizes, strides and requires_grad, in which what shared memory still does.
Stack copies_of(ArrayRef<IValue> arguments);
// The same on Meta, without gradients. A Device among the arguments becomes Meta; so does one left out (None), where no
// tensor says otherwise. REQUIRES one value per argument of the schema.
Stack fakes_of(const FunctionSchema& schema, ArrayRef<IValue> arguments);

}  // namespace gb
