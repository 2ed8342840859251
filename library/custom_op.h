// custom_op: an operator of your own, registered so that dispatch, autograd and the compiler can all use it.
//
//   auto softmax = gb::custom_op("lynx_cortex::softmax(Tensor x) -> Tensor", softmax_forward)
//       .register_fake([](const Tensor& x) { return gb::empty_like(x); })
//       .register_autograd(softmax_backward, setup_context);
//   Tensor y = softmax.call<Tensor>(x);
//
// What each call puts where (dump() prints the table that follows from it):
//   forward                    CompositeExplicitAutograd   serves every backend that has no kernel of its own
//   register_kernel(kCUDA, f)  CUDA                        wins over the forward there
//   register_fake(f)           Meta                        shapes only; before it: a kernel that says
//   register_fake is missing register_autograd(b, s)    Autograd (alias)            boxed,
//   library/custom_autograd.h; before it: the fallback, whose
//                                                          backward is an error that names the operator
//   a schema with `!`          ADInplaceOrView             bumps the versions of the declared arguments
//
// Invariants: CustomOpDef is move-only, and its registrations end with it. Each register_* is once per key,
// and checks everything before it changes anything. Kernels of a functional schema are checked after every
// call for results that alias an argument (no_alias.h). Names follow torch/library.py and
// torch/_library/custom_ops.py.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dispatcher/library.h"
#include "library/custom_autograd.h"
#include "library/no_alias.h"

namespace gb {

class CustomOpDef {
 public:
  using AutogradContext = autograd::AutogradContext;

  // The schema, and a Meta kernel that says what is missing. Throws for a malformed schema, one without a
  // namespace, and an operator that is there already.
  CustomOpDef(const char* schema, const char* file, uint32_t line);
  CustomOpDef(CustomOpDef&&) = default;
  CustomOpDef& operator=(CustomOpDef&&) = default;

  // --- registration; `f` has the C++ signature of the schema (const Tensor&, int64_t, double, IntArrayRef,
  // ...)
  template <class F>
  CustomOpDef& register_forward(F f, const char* file = __builtin_FILE(),
                                uint32_t line = __builtin_LINE()) & {
    return add_kernel("custom_op", DispatchKey::CompositeExplicitAutograd, checked(std::move(f)), file, line);
  }
  template <class F>
  CustomOpDef& register_kernel(DeviceType device, F f, const char* file = __builtin_FILE(),
                               uint32_t line = __builtin_LINE()) & {
    check_device(device);
    return add_kernel("register_kernel", dense_key(device), checked(std::move(f)), file, line);
  }
  template <class F>
  CustomOpDef& register_fake(F f, const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) & {
    return add_fake(CppFunction(std::move(f)), file, line);
  }
  // backward: `std::vector<Tensor> f(AutogradContext&, const std::vector<Tensor>& grad_outputs)`, or with one
  // output
  // `... f(AutogradContext&, const Tensor& grad)`; either may return one Tensor where there is one argument.
  // It returns one gradient per argument of the schema, undefined for those that are not tensors.
  // setup_context, as in CustomFormula, runs after the forward and says what to keep:
  // ctx.save_for_backward({output.toTensor()}).
  template <class B>
  CustomOpDef& register_autograd(B backward, CustomFormula::SetupContext setup_context = {},
                                 const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) & {
    constexpr bool takes_list = std::is_invocable_v<const B&, AutogradContext&, const std::vector<Tensor>&>;
    return add_autograd(
        [b = std::move(backward)](AutogradContext& ctx,
                                  const std::vector<Tensor>& grads) -> std::vector<Tensor> {
          if constexpr (takes_list)
            return {b(ctx, grads)};
          else
            return {b(ctx, grads[0])};
        },
        /*one_output_only=*/!takes_list, std::move(setup_context), file, line);
  }

  // The same on a temporary, so that `auto op = custom_op(...).register_fake(...)` moves along.
  template <class F>
  CustomOpDef register_kernel(DeviceType device, F f, const char* file = __builtin_FILE(),
                              uint32_t line = __builtin_LINE()) && {
    return std::move(register_kernel(device, std::move(f), file, line));
  }
  template <class F>
  CustomOpDef register_fake(F f, const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) && {
    return std::move(register_fake(std::move(f), file, line));
  }
  template <class B>
  CustomOpDef register_autograd(B backward, CustomFormula::SetupContext setup_context = {},
                                const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) && {
    return std::move(register_autograd(std::move(backward), std::move(setup_context), file, line));
  }

  // --- use
  OperatorHandle handle() const;
  // Through the dispatcher, boxed: arguments left out take their defaults; wrong ones are a ValueError or
  // TypeError. For a hot loop keep handle().typed<Tensor(const Tensor&)>().
  template <class R, class... A>
  R call(const A&... args) const {
    Stack stack = call_boxed(Stack{IValue(args)...});
    if constexpr (!std::is_void_v<R>) return pop_outputs<R>(stack);
  }
  Stack call_boxed(Stack args) const;

  std::string dump() const;  // the schema, what was registered where, and the table that follows

 private:
  template <class F>
  CppFunction checked(F f) const {
    if constexpr (is_compile_time_function_pointer<F>::value) {
      return checked(F::func_ptr());
    } else {
      if (!is_functional_) return CppFunction(std::move(f));
      return CppFunction(detail::NoAlias<F, guts::function_type_t<F>>{name_, std::move(f)});
    }
  }
  void check_device(DeviceType device) const;
  void check_free(const char* what, DispatchKey key, const char* file, uint32_t line) const;
  CustomOpDef& add_kernel(const char* what, DispatchKey key, CppFunction&& kernel, const char* file,
                          uint32_t line);
  CustomOpDef& add_fake(CppFunction&& kernel, const char* file, uint32_t line);
  CustomOpDef& add_autograd(CustomFormula::Backward backward, bool one_output_only,
                            CustomFormula::SetupContext setup_context, const char* file, uint32_t line);
  Library missing_fake() const;

  std::string name_;   // "lynx_cortex::softmax", with the overload name
  std::string place_;  // file:line of custom_op
  bool is_functional_;
  Library library_;                 // the schema and the kernels
  std::optional<Library> no_fake_;  // holds the Meta slot until register_fake
};

// A schema and a forward that serves every device. Without a forward, only devices with a register_kernel are
// served.
template <class F>
CustomOpDef custom_op(const char* schema, F forward, const char* file = __builtin_FILE(),
                      uint32_t line = __builtin_LINE()) {
  CustomOpDef def(schema, file, line);
  def.register_forward(std::move(forward), file, line);
  return def;
}
inline CustomOpDef custom_op(const char* schema, const char* file = __builtin_FILE(),
                             uint32_t line = __builtin_LINE()) {
  return CustomOpDef(schema, file, line);
}

}  // namespace gb
