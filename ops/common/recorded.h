// The kernels above those of the devices, made from an operator's signature and its node. `op` is the handle
// function.
//
//   GB_LIBRARY_IMPL(aten, Autograd, m) {
//     m.impl("mul.Tensor", recorded<MulBackward0, &mul_op>);
//     m.impl("mul_.Tensor", recorded_inplace<MulBackward0, &mul__op>);
//     m.impl("t_", recorded_inplace_view<TBackward1, &t__op>);  // only the geometry of self changes
//     m.impl("t", recorded_view<TBackward0, &t_op>);
//     no_gradient(m, {"eq.Tensor", "eq.Scalar"});
//   }
//   GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
//     m.impl("mul_.Tensor", bumps_version<&mul__op>);
//     m.impl("t", makes_view<&t_op>);
//   }
//
// Differentiable inputs: every Tensor, optional<Tensor> and TensorList of the signature, in order; one edge
// each (a list: one per element). `using Differentiable = Arguments<1, 2>` in the node narrows them to these
// positions of the signature: an index, a mask, a target is left out. `using Outputs = Arguments<0>` does the
// same for the results of a tuple. `using NotDifferentiable = Arguments<2>`: those for which there should be a formula,
// and is none; a call where one of them requires grad is refused, as in PyTorch.
//
// Nothing to record: straight on to the next kernel, from this frame. Else, out of place and for views: the
// kernel, which checks its arguments; then the node, save(arguments...), set_history, and
// save_result(results...) where the node has it. In place: check_inplace, save before the kernel overwrites
// self (of a clone of it where needs_self()), the kernel, rebase_history, save_result(self).
#pragma once

#include <initializer_list>
#include <tuple>

#include "ops/common/record.h"

namespace gb::autograd {

template <size_t... positions>
struct Arguments {};

namespace detail {
template <class T>
inline constexpr bool holds_tensors =
    std::is_same_v<T, Tensor> || std::is_same_v<T, std::optional<Tensor>> || std::is_same_v<T, TensorList>;

// The positions of the arguments that hold tensors.
template <class Found, size_t at, class... A>
struct TensorPositions {
  using type = Found;
};
template <size_t... found, size_t at, class First, class... Rest>
struct TensorPositions<Arguments<found...>, at, First, Rest...>
    : TensorPositions<std::conditional_t<holds_tensors<std::remove_cvref_t<First>>, Arguments<found..., at>,
                                         Arguments<found...>>,
                      at + 1, Rest...> {};

template <class Backward, class... A>
struct InputsOf : TensorPositions<Arguments<>, 0, A...> {};
template <class Backward, class... A>
requires requires { typename Backward::Differentiable; }
struct InputsOf<Backward, A...> {
  using type = typename Backward::Differentiable;
};

template <size_t... at, class... A>
[[gnu::always_inline, gnu::artificial]] inline bool any_requires_grad(Arguments<at...>, const A&... args) {
  const std::tuple<const A&...> all(args...);
  return compute_requires_grad(std::get<at>(all)...);
}

template <class Backward, size_t... at, class... A>
[[gnu::always_inline, gnu::artificial]] inline std::shared_ptr<Backward> node_of(Arguments<at...>,
                                                                                 const A&... args) {
  if constexpr (requires { Backward::gradients(); }) {
    static_assert(std::tuple_size_v<decltype(Backward::gradients())> == sizeof...(at),
                  "one gradient per differentiable input");
  }
  const std::tuple<const A&...> all(args...);
  return new_node<Backward>(std::get<at>(all)...);
}

// `results`: a Tensor, a vector of them, or a tuple.
template <class Backward, class Results>
[[gnu::always_inline, gnu::artificial]] inline void finish(const std::shared_ptr<Backward>& grad_fn,
                                                           const Results& results) {
  if constexpr (requires { typename Backward::Outputs; }) {
    const auto each = [&]<size_t... at>(Arguments<at...>) {
      (set_history(std::get<at>(results), grad_fn), ...);
    };
    each(typename Backward::Outputs());
  } else if constexpr (requires { std::tuple_size<Results>::value; }) {
    std::apply([&](const auto&... each) { (set_history(each, grad_fn), ...); }, results);
  } else {
    set_history(results, grad_fn);
  }
  if constexpr (requires { &Backward::save_result; }) {
    if constexpr (requires { std::tuple_size<Results>::value; }) {
      std::apply([&](const auto&... each) { grad_fn->save_result(each...); }, results);
    } else {
      grad_fn->save_result(results);
    }
  }
}

template <auto* op>
using handle_of = std::remove_cvref_t<decltype(op())>;

// "mul_" of aten::mul_.Tensor, for errors.
inline const char* short_name(const OperatorHandle& op) {
  const std::string& name = op.operator_name().name;
  return name.c_str() + name.rfind(':') + 1;
}

// A gradient that no formula gives would be left out in silence.
[[noreturn, gnu::noinline]] inline void throw_not_differentiable(const OperatorHandle& op, size_t position) {
  const std::string& argument = op.schema().arguments()[position].name();
  GB_THROW(Error,
           .what = "The function '" + std::string(short_name(op)) + "' is not differentiable with respect to argument '" +
                   argument + "'. This input cannot have requires_grad True.",
           .cause = argument + " requires grad, and the operator has no formula for it",
           .repair = "detach it: " + argument + ".detach()", .chapter = chapters::kAutograd);
}
template <size_t... at, class... A>
void refuse_gradients(Arguments<at...>, const OperatorHandle& op, const A&... args) {
  const std::tuple<const A&...> all(args...);
  ((compute_requires_grad(std::get<at>(all)) ? throw_not_differentiable(op, at) : void()), ...);
}
}  // namespace detail

template <class Backward, class Guard, auto* op, class Handle = detail::handle_of<op>>
struct Recorded;
template <class Backward, class Guard, auto* op, class R, class... A>
struct Recorded<Backward, Guard, op, TypedOperatorHandle<R(A...)>> {
  static R call(DispatchKeySet ks, A... args) {
    using Inputs = typename detail::InputsOf<Backward, A...>::type;
    static const TypedOperatorHandle<R(A...)>& handle = op();
    if constexpr (requires { typename Backward::NotDifferentiable; })
      detail::refuse_gradients(typename Backward::NotDifferentiable(), handle, args...);
    if (!detail::any_requires_grad(Inputs(), args...)) {
      const Guard guard;
      GB_RETURN_REDISPATCH(handle, ks & after_autograd_keyset, args...);
    }
    R result = run_under<Guard>([&] { return handle.redispatch(ks & after_autograd_keyset, args...); });
    const std::shared_ptr<Backward> grad_fn = detail::node_of<Backward>(Inputs(), args...);
    grad_fn->save(args...);
    detail::finish(grad_fn, result);
    return result;
  }
};

enum class Changes : uint8_t { kElements, kGeometry };  // what of self does the operator write?

template <class Backward, Changes changes, auto* op, class Handle = detail::handle_of<op>>
struct RecordedInplace;
template <class Backward, Changes changes, auto* op, class... A>
struct RecordedInplace<Backward, changes, op, TypedOperatorHandle<Tensor&(Tensor&, A...)>> {
  static Tensor& call(DispatchKeySet ks, Tensor& self, A... args) {
    using Inputs = typename detail::InputsOf<Backward, Tensor&, A...>::type;
    static const TypedOperatorHandle<Tensor&(Tensor&, A...)>& handle = op();
    const bool recorded = detail::any_requires_grad(Inputs(), self, args...);
    check_inplace(self, detail::short_name(handle), recorded);
    std::shared_ptr<Backward> grad_fn;
    if (recorded) {
      grad_fn = detail::node_of<Backward>(Inputs(), self, args...);
      save(*grad_fn, self, args...);
    }
    {
      const AutoDispatchBelowAutograd guard;
      handle.redispatch(ks & after_autograd_keyset, self, args...);
    }
    if (recorded) {
      if constexpr (changes == Changes::kGeometry) {
        set_history_inplace(self, grad_fn);
      } else {
        rebase_history(self, grad_fn);
      }
      if constexpr (requires { &Backward::save_result; }) grad_fn->save_result(self);
    }
    return self;
  }

 private:
  static void save(Backward& grad_fn, const Tensor& self, const A&... args) {
    if constexpr (requires { grad_fn.needs_self(); }) {
      if (grad_fn.needs_self()) return grad_fn.save(self.clone(), args...);
    }
    grad_fn.save(self, args...);
  }
};

template <auto* op, class Handle = detail::handle_of<op>>
struct BumpsVersion;
template <auto* op, class... A>
struct BumpsVersion<op, TypedOperatorHandle<Tensor&(Tensor&, A...)>> {
  static Tensor& call(DispatchKeySet ks, Tensor& self, A... args) {
    static const TypedOperatorHandle<Tensor&(Tensor&, A...)>& handle = op();
    static const uint32_t writer = intern_writer(toString(handle.operator_name()));
    return bump_version_after(self, writer,
                              [&] { handle.redispatch(ks & after_ADInplaceOrView_keyset, self, args...); });
  }
};

template <auto* op, class Handle = detail::handle_of<op>>
struct MakesView;
template <auto* op, class R, class... A>
struct MakesView<op, TypedOperatorHandle<R(const Tensor&, A...)>> {
  static R call(DispatchKeySet ks, const Tensor& self, A... args) {
    static const TypedOperatorHandle<R(const Tensor&, A...)>& handle = op();
    R result = run_under<AutoDispatchBelowADInplaceOrView>(
        [&] { return handle.redispatch(ks & after_ADInplaceOrView_keyset, self, args...); });
    if constexpr (std::is_same_v<R, Tensor>) {
      set_base(result, self);
    } else {
      const CreationMeta meta = creation_meta_now(/*multi_output=*/true);
      for (const Tensor& view : result) set_base(view, self, /*differentiable=*/true, meta);
    }
    return result;
  }
};

// Kernels for m.impl, as types of the function (GB_FN): they are called directly. recorded: out of place;
// R(DispatchKeySet, A...).
template <class Backward, auto* op>
inline constexpr auto recorded = GB_FN((Recorded<Backward, AutoDispatchBelowADInplaceOrView, op>::call));
// The Autograd kernel of a view: what runs below still reaches ADInplaceOrView.
template <class Backward, auto* op>
inline constexpr auto recorded_view = GB_FN((Recorded<Backward, AutoDispatchBelowAutograd, op>::call));
template <class Backward, auto* op>
inline constexpr auto recorded_inplace = GB_FN((RecordedInplace<Backward, Changes::kElements, op>::call));
template <class Backward, auto* op>
inline constexpr auto recorded_inplace_view = GB_FN((RecordedInplace<Backward, Changes::kGeometry, op>::call));
// At ADInplaceOrView, of every in-place operator and of every view.
template <auto* op>
inline constexpr auto bumps_version = GB_FN((BumpsVersion<op>::call));
template <auto* op>
inline constexpr auto makes_view = GB_FN((MakesView<op>::call));

// Operators without a gradient: their calls pass by Autograd. (Without an entry the boxed fallback would
// run.)
inline void no_gradient(Library& m, std::initializer_list<const char*> names,
                        const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
  for (const char* name : names) m.impl(name, CppFunction::makeFallthrough(), file, line);
}

}  // namespace gb::autograd
