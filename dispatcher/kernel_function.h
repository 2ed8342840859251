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
  static KernelFunction makeFallthrough();  // "not me: the next lower key"; a mark in the mask, never run
  static KernelFunction makeNamedNotSupported();
  static KernelFunction makeMissing();          // what an empty slot holds: reports the missing kernel
  static KernelFunction makeRemovedOperator();  // what the slots of a removed operator hold

  bool isValid() const { return boxed_ != nullptr; }
  bool isValidUnboxed() const { return convention_ != Convention::kBoxedOnly; }
  bool isFallthrough() const { return boxed_ == &fallthrough_body; }

  // --- how they are called
  void callBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const { boxed_(*this, op, ks, stack); }
  // The caller has checked the signature (OperatorHandle::typed); nothing checks it here.
  template <class R, class... A>
  [[gnu::always_inline, gnu::artificial]] inline R call(const OperatorHandle& op, DispatchKeySet ks, A... args) const;

  std::string dumpState() const;  // "unboxed", "boxed", "fallthrough"

 private:
  // What the unboxed pointer takes in front of the arguments.
  enum class Convention : uint8_t {
    kBoxedOnly,   // there is none
    kPlain,       // nothing
    kWithKeySet,  // DispatchKeySet
    kFunctor,     // OperatorKernel*, DispatchKeySet
  };
  // The boxed body; the KernelFunction itself gives it the unboxed pointer or the functor.
  using BoxedBody = void(const KernelFunction&, const OperatorHandle&, DispatchKeySet, Stack*);

  static BoxedBody fallthrough_body, not_supported_body, missing_body, removed_body;
  static KernelFunction makeFromBody(BoxedBody* body) {
    KernelFunction k;
    k.boxed_ = body;
    return k;
  }
  template <class F>
  struct Unboxer;
  template <class Functor, class F>
  struct FunctorCaller;

  void* unboxed_ = nullptr;
  Convention convention_ = Convention::kBoxedOnly;
  BoxedBody* boxed_ = nullptr;
  intrusive_ptr<OperatorKernel> functor_;
};

}  // namespace gb

#include "dispatcher/boxing.h"  // the templates
