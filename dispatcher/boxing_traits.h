// Between a stack of IValues and a C++ call: ivalue_to_arg<T> turns a stack slot into the argument of a
// parameter declared as T, push_outputs puts a result on the stack. The boxing templates (boxing.h) are
// written with these two.
//
// Invariants: what ivalue_to_arg gives lives at least to the end of the full expression of the call:
// references look into the slot, and parameters that do not own their elements (ArrayRef) get storage that
// converts to them. Source: ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h.
#pragma once

#include <algorithm>
#include <memory>
#include <tuple>
#include <type_traits>

#include "dispatcher/stack.h"

namespace gb {

namespace detail {
// What an ArrayRef<T> parameter looks at during the call.
template <class T>
struct ArrayStorage {
  std::vector<T> values;
  explicit ArrayStorage(std::vector<T> v) : values(std::move(v)) {}
  operator ArrayRef<T>() const { return values; }
};
template <>
struct ArrayStorage<bool> {  // a vector<bool> packs its bits, so there is no bool to point at
  std::unique_ptr<bool[]> values;
  size_t size;
  explicit ArrayStorage(const std::vector<bool>& v) : values(new bool[v.size()]), size(v.size()) {
    std::copy(v.begin(), v.end(), values.get());
  }
  operator ArrayRef<bool>() const { return ArrayRef<bool>(values.get(), size); }  // braces would be a list
};
template <class T>
struct OptionalArrayStorage {
  std::optional<ArrayStorage<T>> values;
  operator std::optional<ArrayRef<T>>() const {
    return values ? std::optional<ArrayRef<T>>(*values) : std::nullopt;
  }
  operator OptionalIntArrayRef() const
    requires std::same_as<T, int64_t>
  {
    return std::optional<ArrayRef<T>>(*this);
  }
};
}  // namespace detail

// T as the parameter is declared, with its reference.
template <class T>
struct ivalue_to_arg {
  static std::remove_cvref_t<T> call(IValue& v) { return v.to<std::remove_cvref_t<T>>(); }
};
template <>
struct ivalue_to_arg<const Tensor&> {
  static const Tensor& call(IValue& v) { return v.toTensor(); }
};
template <>
struct ivalue_to_arg<Tensor&> {
  static Tensor& call(IValue& v) { return v.toTensor(); }
};
template <>
struct ivalue_to_arg<const std::string&> {
  static const std::string& call(IValue& v) { return v.toStringRef(); }
};
template <class T>
struct ivalue_to_arg<ArrayRef<T>> {
  static detail::ArrayStorage<T> call(IValue& v) {
    return detail::ArrayStorage<T>(v.to<std::vector<T>>());
  }
};
template <class T>
struct ivalue_to_arg<const ArrayRef<T>&> : ivalue_to_arg<ArrayRef<T>> {};
template <class T>
struct ivalue_to_arg<std::optional<ArrayRef<T>>> {
  static detail::OptionalArrayStorage<T> call(IValue& v) {
    if (v.isNone()) return {};
    return {ivalue_to_arg<ArrayRef<T>>::call(v)};
  }
};
template <class T>
struct ivalue_to_arg<const std::optional<ArrayRef<T>>&> : ivalue_to_arg<std::optional<ArrayRef<T>>> {};
template <>
struct ivalue_to_arg<OptionalIntArrayRef> : ivalue_to_arg<std::optional<IntArrayRef>> {};
template <>
struct ivalue_to_arg<const OptionalIntArrayRef&> : ivalue_to_arg<std::optional<IntArrayRef>> {};

namespace detail {
template <class T>
struct is_tuple : std::false_type {};
template <class... Ts>
struct is_tuple<std::tuple<Ts...>> : std::true_type {};
}  // namespace detail

// A value or a reference to one: one IValue. A tuple, also of references: its elements in order; an empty
// tuple: none.
template <class R>
void push_outputs(Stack& stack, R&& result) {
  if constexpr (detail::is_tuple<std::remove_cvref_t<R>>::value) {
    std::apply([&](auto&&... parts) { (stack.emplace_back(std::forward<decltype(parts)>(parts)), ...); },
               std::forward<R>(result));
  } else {
    stack.emplace_back(std::forward<R>(result));
  }
}

// The other way: the results on top of the stack (and nothing else) as the C++ type R; void takes none.
// A Tensor& or a tuple of them must be one of the call's own arguments, so the caller handles those.
template <class R>
R pop_outputs(Stack& stack) {
  if constexpr (detail::is_tuple<R>::value) {
    constexpr size_t n = std::tuple_size_v<R>;
    jit::detail::need(stack, n, "pop_outputs");
    return [&]<size_t... I>(std::index_sequence<I...>) {
      R result{jit::peek(stack, I, n).template to<std::tuple_element_t<I, R>>()...};
      jit::drop(stack, n);
      return result;
    }
    (std::make_index_sequence<n>());
  } else if constexpr (!std::is_void_v<R>) {
    return jit::pop(stack).template to<R>();
  }
}

}  // namespace gb
