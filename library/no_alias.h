// What custom_op puts around a forward: after every call, no result may share storage with an argument or
// another result.
//
// Autograd and the compiler take a functional schema at its word: a result that is secretly an argument would
// get two histories, or be overwritten when the compiler reuses the argument's memory. So it is an error at
// the call, not later. Source of the rule: torch/_library/utils.py.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/tensor.h"

namespace gb::detail {

using TensorPointers = std::vector<const Tensor*>;

template <class T>
void collect_tensors(TensorPointers&, const T&) {}  // no tensor in it
inline void collect_tensors(TensorPointers& to, const Tensor& t) { to.push_back(&t); }
inline void collect_tensors(TensorPointers& to, const std::optional<Tensor>& t) {
  if (t) to.push_back(&*t);
}
inline void collect_tensors(TensorPointers& to, TensorList list) {
  for (const Tensor& t : list) to.push_back(&t);
}
inline void collect_tensors(TensorPointers& to, const std::vector<Tensor>& list) {
  collect_tensors(to, TensorList(list));
}
template <class... Ts>
void collect_tensors(TensorPointers& to, const std::tuple<Ts...>& values) {
  std::apply([&](const auto&... v) { (collect_tensors(to, v), ...); }, values);
}

// Throws Error naming the operator and the two that share.
void check_no_alias(const std::string& op, const TensorPointers& inputs, const TensorPointers& outputs);

// `f`, checked; the same C++ signature.
template <class F, class Signature>
struct NoAlias;
template <class F, class R, class... A>
struct NoAlias<F, R(A...)> {
  R operator()(A... args) const {
    if constexpr (std::is_void_v<R> || std::is_reference_v<R>) {
      return f(args...);
    } else {
      R result = f(args...);
      TensorPointers inputs, outputs;
      (collect_tensors(inputs, args), ...);
      collect_tensors(outputs, result);
      check_no_alias(op, inputs, outputs);
      return result;
    }
  }
  std::string op;  // "lynx_cortex::softmax"
  F f;
};

}  // namespace gb::detail
