// SchemaCheckMode: a DispatchMode that holds every operator call below it to its schema.
//
//   an argument without `!` whose bytes, sizes, strides or storage changed   undeclared mutation
//   a result that shares storage with an argument, without a common alias set   undeclared aliasing
//   two results that share storage, without a common alias set                  likewise
//   a result that *is* an argument, and the schema does not say so              likewise
//
// Throws SchemaCheckError after the call: what the operator did, it has done. It copies the bytes of all
// tensor arguments before every call, so it is for tests. A declared mutation that does not happen is no
// error (it may depend on values). Follows torch/_subclasses/schema_check_mode.py.
#pragma once

#include "core/error.h"
#include "dispatcher/dispatch_mode.h"

namespace gb {

struct SchemaCheckError : Error {
  using Error::Error;
};

class SchemaCheckMode final : public DispatchMode {
 public:
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override;
  size_t calls_checked() const { return calls_checked_; }

 private:
  size_t calls_checked_ = 0;
};

}  // namespace gb
