// custom_op: an operator of your own, registered so that dispatch, autograd and the compiler can all use it.
//
//   auto softmax = gb::custom_op("lynx_cortex::softmax(Tensor x) -> Tensor", softmax_forward)
//       .register_fake([](const Tensor& x) { return gb::empty_like(x); })
//       .register_autograd(softmax_backward, setup_context);
//   Tensor y = softmax.call<Tensor>(x);
//
// What each call puts where, one file per verb (dump() prints the table that follows from it):
//   the forward         CompositeExplicitAutograd   every backend that has no kernel of its own; op_schema.h
//   register_kernel     CPU, CUDA, ...              wins over the forward there; register_kernel.h
//   register_fake       Meta                        shapes only; register_fake.h
//   register_autograd   Autograd (alias)            the formula; register_autograd.h
//   register_autocast   AutocastCPU, AutocastCUDA   the dtype under autocast; register_autocast.h
//   a schema with `!`   ADInplaceOrView             new versions; register_inplace_or_view.h
//
// Invariants: a CustomOpDef is a handle, its copies are one operator, and the registrations end with the last of them.
// Each verb is once per key, and checks everything before it changes anything. Names follow torch/library.py and
// torch/_library/custom_ops.py.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "library/op_schema.h"
#include "library/register_autocast.h"
#include "library/register_autograd.h"
#include "library/register_fake.h"
#include "library/register_inplace_or_view.h"
#include "library/register_kernel.h"

namespace gb {

// Returned by set_kernel_enabled: puts back what was there when it goes, as PyTorch's `with` does.
class [[nodiscard]] KernelSwitch {
 public:
  explicit KernelSwitch(std::function<void()> undo) : undo_(std::move(undo)) {}
  KernelSwitch(KernelSwitch&& o) noexcept : undo_(std::exchange(o.undo_, nullptr)) {}
  KernelSwitch& operator=(KernelSwitch&&) = delete;
  ~KernelSwitch() {
    if (undo_) undo_();
  }
  void keep() && { undo_ = nullptr; }  // leaves the switch as it is now

 private:
  std::function<void()> undo_;
};

class CustomOpDef {
 public:
  // The schema, what its annotations need, and a fake that says what is missing. custom_op() below adds the forward.
  CustomOpDef(const char* name_or_schema, const FunctionSchema* inferred, const CustomOpOptions& options, Place at);

  // --- registration; `f` has the C++ signature of the schema (const Tensor&, int64_t, double, IntArrayRef, ...)
  template <class F>
  CustomOpDef& register_forward(F f, Place at = {__builtin_FILE(), __builtin_LINE()}) {
    add_forward(detail::checked_kernel(std::move(f), shared_schema()), at);
    return *this;
  }
  template <class F>
  CustomOpDef& register_kernel(ArrayRef<DeviceType> devices, F f, Place at = {__builtin_FILE(), __builtin_LINE()}) {
    add_kernels(
        devices, [f = std::move(f), schema = shared_schema()] { return detail::checked_kernel(f, schema); }, at);
    return *this;
  }
  template <class F>
  CustomOpDef& register_fake(F f, Place at = {__builtin_FILE(), __builtin_LINE()}) {
    add_fake(CppFunction(std::move(f)), at);
    return *this;
  }
  template <class B, class S = std::nullptr_t>
  CustomOpDef& register_autograd(B backward, S setup_context = {}, Place at = {__builtin_FILE(), __builtin_LINE()}) {
    gb::register_autograd(library(), name().c_str(), std::move(backward), std::move(setup_context), at);
    return *this;
  }
  CustomOpDef& register_autocast(DeviceType device, ScalarType dtype, Place at = {__builtin_FILE(), __builtin_LINE()}) {
    gb::register_autocast(library(), name().c_str(), device, dtype, at);
    return *this;
  }
  // Takes the kernel of register_kernel(device) off the table, or puts it back: meanwhile the forward serves the
  // device. Not while other threads call the operator. Throws ValueError where that device never had a kernel.
  KernelSwitch set_kernel_enabled(DeviceType device, bool enabled = true);

  // --- use
  OperatorHandle handle() const;    // stays valid; calling it after the registrations ended is an error
  const std::string& name() const;  // "lynx_cortex::softmax", with the overload name
  // Through the dispatcher, boxed: arguments left out take their defaults; wrong ones are a ValueError or TypeError.
  // For a hot loop keep handle().typed<Tensor(const Tensor&)>().
  template <class R, class... A>
  R call(const A&... args) const {
    Stack stack = call_boxed(Stack{IValue(args)...});
    if constexpr (!std::is_void_v<R>) return pop_outputs<R>(stack);
  }
  Stack call_boxed(Stack args) const;

  std::string dump() const;  // the schema, what was registered where, and the table that follows

 private:
  struct State;
  State& state() const;  // throws for one that was moved from
  Library& library() const;
  std::shared_ptr<const FunctionSchema> shared_schema() const;
  void add_forward(CppFunction&& kernel, const Place& at);
  void add_kernels(ArrayRef<DeviceType> devices, std::function<CppFunction()> make, const Place& at);
  void add_fake(CppFunction&& kernel, const Place& at);

  std::shared_ptr<State> state_;
};

// A schema, or a name for which it is inferred, and a forward that serves every device (or options.device_types).
template <class F>
requires(!std::is_same_v<F, CustomOpOptions>) CustomOpDef
    custom_op(const char* name_or_schema, F forward, const CustomOpOptions& options = {},
              Place at = {__builtin_FILE(), __builtin_LINE()}) {
  const std::unique_ptr<FunctionSchema> inferred = detail::inferFunctionSchemaFromFunctor<detail::function_of<F>>();
  CustomOpDef def(name_or_schema, inferred.get(), options, at);
  if (options.device_types.empty())
    def.register_forward(std::move(forward), at);
  else
    def.register_kernel(options.device_types, std::move(forward), at);
  return def;
}
// Without a forward, only devices with a register_kernel are served.
inline CustomOpDef custom_op(const char* schema, const CustomOpOptions& options = {},
                             Place at = {__builtin_FILE(), __builtin_LINE()}) {
  return CustomOpDef(schema, nullptr, options, at);
}

}  // namespace gb
