// CheckingMode: holds every operator call of its thread to its schema and to its fake, in eager.
//
//   { const gb::CheckEveryCall checked; my_model(x); }     throws at the first call that breaks a rule
//
// Rules: schema_contract.h (undeclared mutation, undeclared aliasing) and fake_contract.h (sizes, strides, dtype and
// device of a run on Meta). An operator without a Meta kernel has made no promise: it is counted, not refused. opcheck
// runs the same code on one operator.
// Invariants: a call that keeps the rules has the results that it has without the mode. It copies the bytes of all
// tensor arguments before every call, and runs every operator twice, so it is for tests.
// Follows torch/_subclasses/schema_check_mode.py and CrossRefFakeMode in fake_utils.py.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "dispatcher/dispatch_mode.h"

namespace gb {

class CheckingMode final : public DispatchMode {
 public:
  struct Rules {
    bool schema = true, fake = true;
  };
  CheckingMode() = default;
  explicit CheckingMode(Rules rules) : rules_(rules) {}
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override;

  size_t calls_checked() const { return calls_checked_; }
  const std::set<std::string>& without_fake() const { return without_fake_; }  // operators that no Meta kernel serves

 private:
  Rules rules_;
  size_t calls_checked_ = 0;
  std::set<std::string> without_fake_;
};

// The mode, active for a scope.
struct CheckEveryCall {
  CheckingMode mode;
  DispatchModeGuard guard{&mode};
};

}  // namespace gb
