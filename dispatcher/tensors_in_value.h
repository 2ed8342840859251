// The tensors inside boxed values: visited, collected, replaced. (Of C++ arguments: tensors_in.h.)
//
// A value holds tensors as Tensor, Tensor[] or Tensor?[]; an optional that is there is its Tensor. Everything else holds
// none, None among it. In PyTorch: torch.utils._pytree, as torch.testing._internal.optests uses it.
#pragma once

#include <vector>

#include "dispatcher/ivalue.h"

namespace gb {

// In order, undefined ones too.
template <class F>
void for_each_tensor(const IValue& value, F&& f) {
  if (value.isTensor()) {
    f(value.toTensor());
  } else if (value.isList()) {
    for (const IValue& element : value.toListRef()) for_each_tensor(element, f);
  }
}

// Every defined tensor of a value, or of several, in order.
inline std::vector<Tensor> tensors_in(ArrayRef<IValue> values) {
  std::vector<Tensor> found;
  for (const IValue& value : values) {
    for_each_tensor(value, [&](const Tensor& t) {
      if (t.defined()) found.push_back(t);
    });
  }
  return found;
}

// The value with f(t) in the place of every defined tensor t; what holds none is returned as it is.
template <class F>
IValue map_tensors(const IValue& value, F&& f) {
  if (value.isTensor()) return value.toTensor().defined() ? IValue(Tensor(f(value.toTensor()))) : value;
  if (!value.isList() || tensors_in(value).empty()) return value;
  const List<IValue> list = value.toList().copy();  // a list of the same element type
  for (size_t i = 0; i < list.size(); ++i) list.set(i, map_tensors(list.get(i), f));
  return list;
}

}  // namespace gb
