// for_each_tensor: the tensors in one C++ argument of an operator, in order, undefined ones too. Everything that is no tensor
// and holds none is passed over. Key sets and "does anything require a gradient?" are both asked through it.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/autograd_state.h"
#include "core/tensor.h"
#include "dispatcher/list.h"

namespace gb::detail {

template <class T, class F>
[[gnu::always_inline, gnu::artificial]] inline void for_each_tensor(const T&, F&&) {}
template <class F>
[[gnu::always_inline, gnu::artificial]] inline void for_each_tensor(const Tensor& t, F&& f) {
  f(t);
}
template <class F>
void for_each_tensor(const std::optional<Tensor>& t, F&& f) {
  if (t) f(*t);
}
template <class F>
void for_each_tensor(TensorList list, F&& f) {
  for (const Tensor& t : list) f(t);
}
template <class F>
void for_each_tensor(const std::vector<Tensor>& list, F&& f) {
  for (const Tensor& t : list) f(t);
}
template <size_t N, class F>
void for_each_tensor(const std::array<Tensor, N>& list, F&& f) {
  for (const Tensor& t : list) f(t);
}
template <class F>
void for_each_tensor(ArrayRef<std::optional<Tensor>> list, F&& f) {
  for (const std::optional<Tensor>& t : list) for_each_tensor(t, f);
}
template <class F>
void for_each_tensor(const List<Tensor>& list, F&& f) {
  for (const Tensor& t : list) f(t);
}
template <class F>
void for_each_tensor(const List<std::optional<Tensor>>& list, F&& f) {
  for (const std::optional<Tensor>& t : list) for_each_tensor(t, f);
}

// The quick half of would_record: false where it would surely be false, as no tensor takes part in a graph.
template <class... A>
[[gnu::always_inline, gnu::artificial]] inline bool may_record(const A&... args) {
  bool any = false;
  (for_each_tensor(args, [&](const Tensor& t) { any |= t.unsafeGetTensorImpl()->autograd_meta() != nullptr; }), ...);
  return any && GradMode::is_enabled();
}

// Would a call with these arguments be recorded: is grad mode on, and does one of them require a gradient?
template <class... A>
bool would_record(const A&... args) {
  if (!GradMode::is_enabled()) return false;
  bool any = false;
  (for_each_tensor(args, [&](const Tensor& t) { any |= t.unsafeGetTensorImpl()->requires_grad(); }), ...);
  return any;
}

}  // namespace gb::detail
