// BoxedKernel: a kernel that takes its arguments from a Stack, whatever the operator's signature. A fallback, a mode, a
// printer of every call are such kernels. A thin name over KernelFunction, which holds one or is made from one.
// Names follow ATen/core/boxing/BoxedKernel.h.
#pragma once

#include <memory>
#include <utility>

#include "dispatcher/kernel_function.h"

namespace gb {

class BoxedKernel final {
 public:
  using BoxedKernelFunction = KernelFunction::BoxedKernelFunction;
  using BoxedKernelFunction_withDispatchKeys = KernelFunction::BoxedKernelFunction_withDispatchKeys;

  BoxedKernel() = default;  // not a kernel: isValid() is false
  template <auto* f>
  static BoxedKernel makeFromFunction() {
    return BoxedKernel(KernelFunction::makeFromBoxedFunction<f>());
  }
  // F has `void operator()(const OperatorHandle&, DispatchKeySet, Stack*)`.
  template <class F>
  static BoxedKernel makeFromFunctor(std::unique_ptr<F> functor) {
    return BoxedKernel(KernelFunction::makeFromBoxedFunctor(std::move(functor)));
  }
  static BoxedKernel makeFallthrough() { return BoxedKernel(KernelFunction::makeFallthrough()); }
  static BoxedKernel makeAmbiguousAutogradOther() { return BoxedKernel(KernelFunction::makeAmbiguousAutogradOther()); }
  static BoxedKernel makeNamedNotSupported() { return BoxedKernel(KernelFunction::makeNamedNotSupported()); }

  bool isValid() const { return kernel_.isValid(); }
  bool isFallthrough() const { return kernel_.isFallthrough(); }
  void callBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const { kernel_.callBoxed(op, ks, stack); }

 private:
  explicit BoxedKernel(KernelFunction kernel) : kernel_(std::move(kernel)) {}
  friend class KernelFunction;
  KernelFunction kernel_;
};

inline KernelFunction KernelFunction::makeFromBoxedKernel(BoxedKernel kernel) { return std::move(kernel.kernel_); }

}  // namespace gb
