// Crossing the box: the templates of KernelFunction. One instantiation per C++ signature, not per kernel.
//
//   unboxed call, unboxed kernel   the function (SelectedKernel in operator_handle.h calls it; KernelFunction::call too)
//   unboxed call, boxed kernel     call -> call_through_box: pack the arguments, run, unpack the result
//   boxed call, unboxed kernel     Unboxer::body: unpack the stack, call the function, push the result
//   boxed call, boxed kernel       the body itself
#pragma once

#include <tuple>

#include "dispatcher/boxing_traits.h"
#include "dispatcher/kernel_function.h"

namespace gb {
namespace detail {

[[noreturn]] void throw_stack_too_short(const OperatorHandle& op, const Stack& stack, size_t needed);

// A result that refers to an argument, as a value that lives by itself.
template <class R>
struct owned_result { using type = std::remove_cvref_t<R>; };
template <class... Rs>
struct owned_result<std::tuple<Rs...>> { using type = std::tuple<std::remove_cvref_t<Rs>...>; };

template <class R>
inline constexpr bool is_reference_tuple = false;
template <class... Rs>
inline constexpr bool is_reference_tuple<std::tuple<Rs...>> = sizeof...(Rs) > 0 && (std::is_reference_v<Rs> && ...);

// The last elements of `all`, as a tuple of references R.
template <class R, class All, size_t... i>
R last_of(All& all, std::index_sequence<i...>) {
  return R{std::get<std::tuple_size_v<All> - sizeof...(i) + i>(all)...};
}

// What a boxed kernel left on the stack, as R. A reference result is the very argument that was passed: the first one
// (in-place) or the last one (out=); a tuple of references is the last ones (several out= arguments).
template <class R, class... A>
R take_result(Stack& stack, A&... args) {
  if constexpr (std::is_reference_v<R>) {
    auto all = std::tie(args...);
    if constexpr (std::is_same_v<std::tuple_element_t<0, decltype(all)>, R>) return std::get<0>(all);
    else return std::get<sizeof...(A) - 1>(all);
  } else if constexpr (is_reference_tuple<R>) {
    auto all = std::tie(args...);
    return last_of<R>(all, std::make_index_sequence<std::tuple_size_v<R>>());
  } else {
    return pop_outputs<R>(stack);
  }
}

// Out of line, so that the path above it stays small.
template <class R, class... A>
[[gnu::noinline]] R call_through_box(const KernelFunction& kernel, const OperatorHandle& op, DispatchKeySet ks, A... args) {
  Stack stack;
  stack.reserve(sizeof...(A));
  (stack.emplace_back(args), ...);
  kernel.callBoxed(op, ks, &stack);
  return take_result<R>(stack, args...);
}

}  // namespace detail

template <class R, class... A>
R KernelFunction::call(const OperatorHandle& op, DispatchKeySet ks, A... args) const {
  if (isValidUnboxed()) return call_unboxed<R, A...>(ks, std::forward<A>(args)...);
  return detail::call_through_box<R, A...>(*this, op, ks, std::forward<A>(args)...);
}

template <class R, class... A>
inline R KernelFunction::call_unboxed(DispatchKeySet ks, A... args) const {
  if (const auto f = plain<R, A...>()) return f(std::forward<A>(args)...);
  if (const auto f = keyed<R, A...>()) return f(ks, std::forward<A>(args)...);
  return reinterpret_cast<R (*)(OperatorKernel*, DispatchKeySet, A...)>(functor_call_)(functor_.get(), ks,
                                                                                       std::forward<A>(args)...);
}

// The boxed face of an unboxed kernel of signature R(A...).
template <class R, class... A>
struct KernelFunction::Unboxer<R(A...)> {
  static void body(const KernelFunction& kernel, const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
    if (stack->size() < sizeof...(A)) [[unlikely]] detail::throw_stack_too_short(op, *stack, sizeof...(A));
    run(kernel, ks, *stack, std::index_sequence_for<A...>());
  }
  template <size_t... i>
  static void run(const KernelFunction& kernel, DispatchKeySet ks, Stack& stack, std::index_sequence<i...>) {
    [[maybe_unused]] IValue* args = stack.data() + (stack.size() - sizeof...(A));
    if constexpr (std::is_void_v<R>) {
      kernel.call_unboxed<R, A...>(ks, ivalue_to_arg<A>::call(args[i])...);
      jit::drop(stack, sizeof...(A));
    } else {
      // Owned before the arguments go: a Tensor& result lives in one of them.
      typename detail::owned_result<R>::type result = kernel.call_unboxed<R, A...>(ks, ivalue_to_arg<A>::call(args[i])...);
      jit::drop(stack, sizeof...(A));
      push_outputs(stack, std::move(result));
    }
  }
};

template <class F>
KernelFunction KernelFunction::makeFromUnboxedRuntimeFunction(F* f) {
  using Signature = guts::without_keyset<F>;
  KernelFunction k;
  (Signature::takes_keyset ? k.keyed_ : k.plain_) = reinterpret_cast<void*>(f);
  k.boxed_ = &Unboxer<typename Signature::type>::body;
  return k;
}

// Calls a functor that lies in an OperatorKernel.
template <class Functor, class R, class... A>
struct KernelFunction::FunctorCaller<Functor, R(A...)> {
  struct Holder final : OperatorKernel {
    template <class T>
    explicit Holder(T&& f) : functor(std::forward<T>(f)) {}
    Functor functor;
  };
  static R call(OperatorKernel* self, DispatchKeySet ks, A... args) {
    Functor& functor = static_cast<Holder*>(self)->functor;
    if constexpr (guts::without_keyset<guts::function_type_t<Functor>>::takes_keyset) {
      return functor(ks, std::forward<A>(args)...);
    } else {
      return functor(std::forward<A>(args)...);
    }
  }
};

template <class Lambda>
KernelFunction KernelFunction::makeFromUnboxedLambda(Lambda&& lambda) {
  using Functor = std::remove_cvref_t<Lambda>;
  using F = guts::function_type_t<Functor>;
  if constexpr (std::is_convertible_v<Functor, F*>) {
    return makeFromUnboxedRuntimeFunction(static_cast<F*>(lambda));
  } else {
    using Signature = typename guts::without_keyset<F>::type;
    using Caller = FunctorCaller<Functor, Signature>;
    KernelFunction k;
    k.functor_call_ = reinterpret_cast<void*>(&Caller::call);
    k.boxed_ = &Unboxer<Signature>::body;
    k.functor_ = make_intrusive<typename Caller::Holder>(std::forward<Lambda>(lambda));
    return k;
  }
}

template <bool, class F>
KernelFunction KernelFunction::makeFromUnboxedFunctor(std::unique_ptr<OperatorKernel> functor) {
  static_assert(std::is_base_of_v<OperatorKernel, F>, "a functor kernel derives from gb::OperatorKernel");
  using Function = guts::function_type_t<F>;
  return [&]<class R, class... A>(std::type_identity<R(A...)>) {
    return makeFromUnboxedLambda([f = std::shared_ptr<F>(static_cast<F*>(functor.release()))](A... args) -> R {
      return (*f)(std::forward<A>(args)...);
    });
  }(std::type_identity<Function>());
}

template <auto* boxed>
KernelFunction KernelFunction::makeFromBoxedFunction() {
  return makeFromBody([](const KernelFunction&, const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
    if constexpr (std::is_same_v<decltype(boxed), BoxedKernelFunction*>) boxed(op, stack);
    else boxed(op, ks, stack);
  });
}

template <class F>
KernelFunction KernelFunction::makeFromBoxedFunctor(std::unique_ptr<F> functor) {
  struct Holder final : OperatorKernel {
    explicit Holder(std::unique_ptr<F> f) : functor(std::move(f)) {}
    std::unique_ptr<F> functor;
  };
  KernelFunction k = makeFromBody([](const KernelFunction& self, const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
    (*static_cast<Holder*>(self.functor_.get())->functor)(op, ks, stack);
  });
  k.functor_ = make_intrusive<Holder>(std::move(functor));
  return k;
}

}  // namespace gb
