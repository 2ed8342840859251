// KernelFunction: one kernel, callable both ways.
//
// Unboxed, a kernel is a plain function pointer that gets its arguments in registers; boxed, it gets a Stack of IValues
// and works for every signature. Whichever way it was written, it answers both: an unboxed call of a boxed kernel packs
// the arguments, a boxed call of an unboxed kernel unpacks them (dispatcher/boxing.h).
// A kernel written as a plain function is called directly: no functor, no wrapper frame between the call and it.
// Immutable once made. Names follow ATen/core/boxing/KernelFunction.h.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "dispatcher/function_traits.h"
#include "dispatcher/stack.h"

namespace gb {

class BoxedKernel;
class OperatorHandle;

// Base of kernels with state.
struct OperatorKernel : intrusive_ptr_target {
  ~OperatorKernel() override = default;
};

class KernelFunction {
 public:
  using BoxedKernelFunction = void(const OperatorHandle&, Stack*);
  using BoxedKernelFunction_withDispatchKeys = void(const OperatorHandle&, DispatchKeySet, Stack*);

  KernelFunction() = default;  // not a kernel: isValid() is false

  // --- how they are made
  template <auto* boxed>
  static KernelFunction makeFromBoxedFunction();
  static KernelFunction makeFromBoxedKernel(BoxedKernel kernel);
  template <class FuncPtr>
  static KernelFunction makeFromUnboxedFunction(FuncPtr) {  // GB_FN(f)
    return makeFromUnboxedRuntimeFunction(FuncPtr::func_ptr());
  }
  template <class F>
  static KernelFunction makeFromUnboxedRuntimeFunction(F* f);
  // A lambda or functor; one without state becomes a plain function.
  template <class Lambda>
  static KernelFunction makeFromUnboxedLambda(Lambda&& lambda);
  // An object with `void operator()(const OperatorHandle&, DispatchKeySet, Stack*)`.
  template <class F>
  static KernelFunction makeFromBoxedFunctor(std::unique_ptr<F> functor);
  // A functor that holds state: F is an OperatorKernel with an operator() of the operator's signature.
  template <bool AllowLegacyTypes = false, class F>
  static KernelFunction makeFromUnboxedFunctor(std::unique_ptr<OperatorKernel> functor);
  static KernelFunction makeFallthrough();  // "not me: the next lower key"; a mark in the mask, never run
  static KernelFunction makeAmbiguousAutogradOther();
  static KernelFunction makeNamedNotSupported();
  static KernelFunction makeMissing();          // what an empty slot holds: reports the missing kernel
  static KernelFunction makeRemovedOperator();  // what the slots of a removed operator hold

  // For the fallback at Autograd: this boxed kernel has something to do only while a call would be recorded. Where it would
  // not, an unboxed call goes straight on to the next slot, unboxed.
  KernelFunction&& onlyWhenRecording() && {
    only_when_recording_ = true;
    return std::move(*this);
  }

  bool isValid() const { return boxed_ != nullptr; }
  bool isValidUnboxed() const { return plain_ || keyed_ || functor_call_; }
  bool isFallthrough() const { return boxed_ == &fallthrough_body; }
  bool isOnlyWhenRecording() const { return only_when_recording_; }

  // --- how they are called
  void callBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const { boxed_(*this, op, ks, stack); }
  // The caller has checked the signature (OperatorHandle::typed); nothing checks it here.
  template <class R, class... A>
  R call(const OperatorHandle& op, DispatchKeySet ks, A... args) const;
  // The kernel itself, where it takes just the arguments; where it takes the key set in front of them. Null otherwise.
  template <class R, class... A>
  [[gnu::always_inline, gnu::artificial]] inline auto plain() const {
    return reinterpret_cast<R (*)(A...)>(plain_);
  }
  template <class R, class... A>
  [[gnu::always_inline, gnu::artificial]] inline auto keyed() const {
    return reinterpret_cast<R (*)(DispatchKeySet, A...)>(keyed_);
  }

  std::string dumpState() const;  // "unboxed", "boxed", "fallthrough"

 private:
  // The boxed body; the KernelFunction itself gives it the unboxed pointer or the functor.
  using BoxedBody = void(const KernelFunction&, const OperatorHandle&, DispatchKeySet, Stack*);

  static BoxedBody fallthrough_body, ambiguous_body, not_supported_body, missing_body, removed_body;
  static KernelFunction makeFromBody(BoxedBody* body) {
    KernelFunction k;
    k.boxed_ = body;
    return k;
  }
  template <class F>
  struct Unboxer;
  // One of the three pointers is set.
  template <class R, class... A>
  [[gnu::always_inline]] R call_unboxed(DispatchKeySet ks, A... args) const;
  template <class Functor, class F>
  struct FunctorCaller;

  // At most one of the three is set; their types are erased here and given back by the caller's signature.
  void* plain_ = nullptr;         // R(*)(A...)
  void* keyed_ = nullptr;         // R(*)(DispatchKeySet, A...)
  void* functor_call_ = nullptr;  // R(*)(OperatorKernel*, DispatchKeySet, A...)
  BoxedBody* boxed_ = nullptr;
  intrusive_ptr<OperatorKernel> functor_;
  bool only_when_recording_ = false;
};

}  // namespace gb

#include "dispatcher/boxed_kernel.h"
#include "dispatcher/boxing.h"  // the templates
