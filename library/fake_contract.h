// The fake as a contract: run on Meta, an operator returns tensors of the same number, dtype, sizes, strides and
// storage offset as the real run did, and all of them on Meta.
//
// The compiler plans memory and generates loops from what the fake says, so a fake that is wrong reads or writes past
// the end of something there. The Meta run sees no mode, no autograd and no tracing of versions; the arguments are
// fakes of those of the real run, made before it. Follows CrossRefFakeMode in torch/_subclasses/fake_utils.py.
#pragma once

#include "core/error.h"
#include "dispatcher/operator_handle.h"

namespace gb {

struct FakeCheckError : Error {
  using Error::Error;
};

class FakeContract {
 public:
  // Before the call.
  FakeContract(const OperatorHandle& op, ArrayRef<IValue> arguments);
  // After it: runs the operator on Meta. Throws FakeCheckError with every property that differs, and what the Meta
  // kernel throws (NotImplementedError where there is none). Results that are on Meta themselves have nothing to be
  // compared with.
  void check(ArrayRef<IValue> results) const;

 private:
  OperatorHandle op_;
  Stack fakes_;
};

}  // namespace gb
