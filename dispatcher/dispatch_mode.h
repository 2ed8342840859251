// DispatchMode: an object that sees every operator call of its thread, below autograd, at the mode key (`Python`).
//
// While at least one mode is active the mode key is in the thread's included set, so calls that come down from the
// autograd kernels reach the key's fallback, which asks the innermost mode. While a mode runs, the modes outside it are
// active and it is not: what it calls goes to the next one. Factory functions come here too: the mode key stands above
// BackendSelect. Logging, capture and counting are each one small mode (library/modes/README.md lists them).
//
// Invariants: the stack is the thread's own; guards leave in the reverse order of entering, also when something throws.
// In PyTorch: TorchDispatchMode, c10/core/impl/TorchDispatchModeTLS.h, torch/utils/_python_dispatch.py.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

class DispatchMode {
 public:
  virtual ~DispatchMode() = default;
  // The arguments are the last values of `stack`; replace them by the results. `op.redispatchBoxed(ks, stack)` goes on:
  // to the next mode further out, and from the outermost one to the operator itself (`ks` is then without the mode key).
  virtual void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) = 0;

 protected:
  // For dispatch(): runs an operator that is made of others (CompositeImplicitAutograd) as its parts, which come to this
  // mode one by one; false, and nothing done, where `op` has a kernel of its own. With autograd on, composites are
  // taken apart above the mode key; under InferenceMode or below autograd they arrive whole, as in PyTorch.
  bool decompose(const OperatorHandle& op, DispatchKeySet ks, Stack* stack);
};

namespace detail {
struct ActiveMode {
  DispatchMode* mode;
  ActiveMode* outer;  // the one that was innermost when this one was entered
};
}  // namespace detail

// Makes `mode` the innermost one of this thread for a scope. Not owned. A mode that is active already on this thread is
// refused; inside its own dispatch(), where it is not active, it may be entered again.
class DispatchModeGuard {
 public:
  explicit DispatchModeGuard(DispatchMode* mode);
  ~DispatchModeGuard();
  DispatchModeGuard(const DispatchModeGuard&) = delete;
  DispatchModeGuard& operator=(const DispatchModeGuard&) = delete;

 private:
  detail::ActiveMode entry_;
};

// The innermost active mode of this thread, or null.
DispatchMode* active_dispatch_mode();

}  // namespace gb
