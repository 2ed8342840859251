// How an operator's file gets the handle it calls through: looked up once, kept in a function-local static.
//
//   inline const auto& neg_op() { return operator_of<"aten::neg", Tensor(const Tensor&)>(); }
//   inline const auto& mul_op() { return operator_of<"aten::mul.Tensor", Tensor(const Tensor&, const
//   Tensor&)>(); }
//
// The function is the operator's name in C++: `&mul_op` says which operator a generic kernel serves
// (derivative.h, ops/autocast/wrap.h). Invariant: the look-up is made at the first call, when every library
// is registered.
#pragma once

#include <algorithm>
#include <string_view>

#include "dispatcher/dispatcher.h"

namespace gb {
namespace detail {
template <class Handle>
struct signature_of;
template <class F>
struct signature_of<TypedOperatorHandle<F>> {
  using type = F;
};

// A string as a template argument.
template <size_t n>
struct Name {
  constexpr Name(const char (&s)[n]) { std::copy_n(s, n, text); }
  char text[n];
};
}  // namespace detail

// Throws where the operator is not linked into the program, or where its kernels have another C++ signature.
template <class Handle>
Handle find_operator(const char* name, const char* overload) {
  return Dispatcher::singleton()
      .findSchemaOrThrow(name, overload)
      .template typed<typename detail::signature_of<Handle>::type>();
}

// "aten::add_.Tensor": the overload stands behind the dot.
// Inlined: after the first call it is a look at the static's guard.
template <detail::Name name, class F>
[[gnu::always_inline]] inline const TypedOperatorHandle<F>& operator_of() {
  static const auto op = [] {
    const std::string_view text = name.text;
    const size_t dot = std::min(text.rfind('.'), text.size());
    const std::string overload(text.substr(std::min(dot + 1, text.size())));
    return find_operator<TypedOperatorHandle<F>>(std::string(text.substr(0, dot)).c_str(), overload.c_str());
  }();
  return op;
}

}  // namespace gb
