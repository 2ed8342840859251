// What register_kernel puts around a kernel: after every call, no result may be or share memory with an argument or
// another result, unless the schema says so (`Tensor(a!) out) -> Tensor(a!)`).
//
// Autograd and the compiler take the schema at its word: a result that is secretly an argument would get two histories,
// or be overwritten when the compiler reuses the argument's memory. So it is an error at the call, not later, also with
// gradients off. Costs two short lists per call. Source of the rule: torch/_library/utils.py.
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/tensor.h"
#include "dispatcher/library.h"
#include "dispatcher/tensors_in.h"

namespace gb::detail {

struct NumberedTensor {
  const Tensor* tensor;
  size_t index;  // of the argument or result it is, or is an element of
};
using TensorsOfCall = std::vector<NumberedTensor>;

// Each value with its own number, in order.
template <class... Ts>
void collect_tensors(TensorsOfCall& to, const Ts&... values) {
  size_t index = 0;
  ((for_each_tensor(values, [&](const Tensor& t) { to.push_back({&t, index}); }), ++index), ...);
}
template <class T>
void collect_results(TensorsOfCall& to, const T& result) { collect_tensors(to, result); }
template <class... Ts>
void collect_results(TensorsOfCall& to, const std::tuple<Ts...>& results) {
  std::apply([&](const auto&... r) { collect_tensors(to, r...); }, results);
}

// Throws Error naming the operator and the two that share.
void check_no_alias(const FunctionSchema& schema, const TensorsOfCall& inputs, const TensorsOfCall& outputs);

// What a forward is called as: GB_FN(f) is the function it names.
template <class F>
struct function_of_type { using type = F; };
template <class F>
  requires is_compile_time_function_pointer<F>::value
struct function_of_type<F> { using type = typename F::FuncType; };
template <class F>
using function_of = typename function_of_type<F>::type;

// `f`, checked; the same C++ signature.
template <class F, class Signature>
struct NoAlias;
template <class F, class R, class... A>
struct NoAlias<F, R(A...)> {
  R operator()(A... args) const {
    if constexpr (std::is_void_v<R>) {
      f(args...);
    } else {
      R result = f(args...);
      TensorsOfCall inputs, outputs;
      collect_tensors(inputs, args...);
      collect_results(outputs, result);
      check_no_alias(*schema, inputs, outputs);
      return result;
    }
  }
  std::shared_ptr<const FunctionSchema> schema;
  F f;
};
// A kernel may take its keyset, which is not an argument.
template <class F, class R, class... A>
struct NoAlias<F, R(DispatchKeySet, A...)> {
  R operator()(DispatchKeySet ks, A... args) const {
    const auto with_keyset = [&](A... a) -> R { return f(ks, a...); };
    return NoAlias<decltype(with_keyset), R(A...)>{schema, with_keyset}(args...);
  }
  std::shared_ptr<const FunctionSchema> schema;
  F f;
};

template <class F>
CppFunction checked_kernel(F f, std::shared_ptr<const FunctionSchema> schema) {
  if constexpr (is_compile_time_function_pointer<F>::value) {
    return checked_kernel(F::func_ptr(), std::move(schema));
  } else {
    return CppFunction(NoAlias<F, guts::function_type_t<F>>{std::move(schema), std::move(f)});
  }
}

}  // namespace gb::detail
