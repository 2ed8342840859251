// The signature R(A...) of anything callable, and CppSignature: that signature as a value that can be compared.
#pragma once

#include <string>
#include <type_traits>
#include <typeindex>

#include "core/dispatch_key_set.h"

namespace gb {
namespace guts {

template <class F>
struct function_type {  // lambdas and functors
  using type = typename function_type<decltype(&F::operator())>::type;
};
template <class R, class... A>
struct function_type<R(A...)> { using type = R(A...); };
template <class R, class... A>
struct function_type<R (*)(A...)> { using type = R(A...); };
template <class C, class R, class... A>
struct function_type<R (C::*)(A...)> { using type = R(A...); };
template <class C, class R, class... A>
struct function_type<R (C::*)(A...) const> { using type = R(A...); };

// R(A...) of a function, a pointer to one, a lambda or a functor.
template <class F>
using function_type_t = typename function_type<std::remove_cvref_t<F>>::type;

template <class T>
struct is_function_type : std::is_function<T> {};
// An object with one operator() that is no template.
template <class T>
struct is_functor : std::bool_constant<requires { &T::operator(); }> {};

// A kernel may take the DispatchKeySet first; it is not part of the schema.
template <class F>
struct without_keyset { using type = F; static constexpr bool takes_keyset = false; };
template <class R, class... A>
struct without_keyset<R(DispatchKeySet, A...)> { using type = R(A...); static constexpr bool takes_keyset = true; };

}  // namespace guts

// GB_FN(f): a function as a type.
template <class FuncType_, FuncType_* func_ptr_>
struct CompileTimeFunctionPointer {
  using FuncType = FuncType_;
  static constexpr FuncType* func_ptr() { return func_ptr_; }
};
template <class T>
struct is_compile_time_function_pointer : std::false_type {};
template <class F, F* f>
struct is_compile_time_function_pointer<CompileTimeFunctionPointer<F, f>> : std::true_type {};
#define GB_FN_TYPE(f) ::gb::CompileTimeFunctionPointer<std::remove_pointer_t<std::remove_reference_t<decltype(f)>>, f>
#define GB_FN(f) GB_FN_TYPE(f)()

std::string demangle(const char* mangled_name);  // "int (double)" of "FidE"

namespace impl {

// The C++ type of a kernel, without a leading DispatchKeySet. All kernels of one operator must have the same, because an
// unboxed call goes through a pointer whose type nobody checks again.
class CppSignature {
 public:
  template <class FuncOrFunctor>
  static CppSignature make() {
    return CppSignature(typeid(typename guts::without_keyset<guts::function_type_t<FuncOrFunctor>>::type));
  }
  std::string name() const { return demangle(type_.name()); }
  friend bool operator==(const CppSignature& a, const CppSignature& b) { return a.type_ == b.type_; }

 private:
  explicit CppSignature(std::type_index type) : type_(type) {}
  std::type_index type_;
};

}  // namespace impl
}  // namespace gb
