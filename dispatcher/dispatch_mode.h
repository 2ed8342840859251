// DispatchMode: an object that sees every operator call of its thread, below autograd, at the mode key (`Python`).
//
// While at least one mode is active the mode key is in the thread's included set, so calls that come down from the
// autograd kernels reach the key's fallback, which asks the innermost mode. While a mode runs, the modes outside it are
// active and it is not: what it calls goes to the next one. Logging, capture and counting are each one small mode.
#pragma once

#include "dispatcher/operator_handle.h"

namespace gb {

class DispatchMode {
 public:
  virtual ~DispatchMode() = default;
  // The arguments are the last values of `stack`; replace them by the results. `op.redispatchBoxed(ks, stack)` goes on:
  // to the next mode further out, and from the outermost one to the operator itself (`ks` is then without the mode key).
  virtual void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) = 0;

 private:
  friend class DispatchModeGuard;
  friend struct ModeFallback;
  DispatchMode* outer_ = nullptr;  // the mode that was innermost when this one was entered
};

// Makes `mode` the innermost one of this thread for a scope. Not owned; a mode is active at most once.
class DispatchModeGuard {
 public:
  explicit DispatchModeGuard(DispatchMode* mode);
  ~DispatchModeGuard();
  DispatchModeGuard(const DispatchModeGuard&) = delete;
  DispatchModeGuard& operator=(const DispatchModeGuard&) = delete;

 private:
  DispatchMode* mode_;
};

// The innermost active mode of this thread, or null.
DispatchMode* active_dispatch_mode();

}  // namespace gb
