// The schema that a kernel's C++ type implies: `Tensor(const Tensor&, IntArrayRef)` gives `(Tensor _0, int[]
// _1) -> Tensor`. Arguments are named _0, _1, ...; a leading DispatchKeySet is not an argument; a tuple is
// several returns.
//
// Only the table of type getters is a template: the schema itself is built in the .cc file.
// Source: ATen/core/op_registration/infer_schema.h.
#pragma once

#include <memory>
#include <tuple>

#include "dispatcher/function_schema.h"
#include "dispatcher/function_traits.h"
#include "dispatcher/type_of.h"

namespace gb::detail {

using TypeGetter = const TypePtr& (*)();

std::unique_ptr<FunctionSchema> make_inferred_schema(ArrayRef<TypeGetter> arguments,
                                                     ArrayRef<TypeGetter> returns);

template <class R>
struct return_getters {
  static ArrayRef<TypeGetter> get() {
    static constexpr TypeGetter getters[] = {&getTypePtr<R>};
    return getters;
  }
};
template <>
struct return_getters<void> {
  static ArrayRef<TypeGetter> get() { return {}; }
};
template <>
struct return_getters<std::tuple<>> : return_getters<void> {};
template <class... Rs>
struct return_getters<std::tuple<Rs...>> {
  static ArrayRef<TypeGetter> get() {
    static constexpr TypeGetter getters[] = {&getTypePtr<Rs>...};
    return getters;
  }
};

template <class F>
struct schema_of;
template <class R>
struct schema_of<R()> {
  static std::unique_ptr<FunctionSchema> make() { return make_inferred_schema({}, return_getters<R>::get()); }
};
template <class R, class... A>
struct schema_of<R(A...)> {
  static std::unique_ptr<FunctionSchema> make() {
    static constexpr TypeGetter getters[] = {&getTypePtr<A>...};
    return make_inferred_schema(getters, return_getters<R>::get());
  }
};
template <class R, class... A>
struct schema_of<R(DispatchKeySet, A...)> : schema_of<R(A...)> {};

template <class F>
std::unique_ptr<FunctionSchema> inferFunctionSchemaFromFunctor() {
  return schema_of<guts::function_type_t<F>>::make();
}
// PyTorch's name where it matters that a tuple is several returns.
template <class F>
std::unique_ptr<FunctionSchema> inferFunctionSchemaFlattenedReturns() {
  return inferFunctionSchemaFromFunctor<F>();
}

}  // namespace gb::detail
