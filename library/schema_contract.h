// The schema as a contract: what one call may write and what its results may share, compared with what it did.
//
//   an argument without `!` whose bytes, sizes, strides or storage changed          undeclared mutation
//   a result that is, or shares storage with, an argument, without a common set     undeclared aliasing
//   two results that share storage, without a common set                            likewise
//
// A declared mutation that does not happen is no error: it may depend on values. The error comes after the call: what
// the operator did, it has done. Costs a copy of the bytes of all tensor arguments, so it is for tests.
// Follows torch/_subclasses/schema_check_mode.py.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/error.h"
#include "dispatcher/operator_handle.h"

namespace gb {

struct SchemaCheckError : Error {
  using Error::Error;
};

class SchemaContract {
 public:
  // Before the call: keeps a copy of what the arguments hold.
  SchemaContract(const FunctionSchema& schema, ArrayRef<IValue> arguments);
  // After it. Throws SchemaCheckError with the line of the schema that is broken, and the evidence.
  void check(ArrayRef<IValue> results) const;

 private:
  // What a tensor was like before the call.
  struct Snapshot {
    explicit Snapshot(const Tensor& t);
    std::string difference() const;  // what changed, in words; empty when nothing did
    Tensor tensor;
    std::vector<int64_t> sizes, strides;
    Storage storage;
    std::vector<std::byte> bytes;
  };

  bool shares_with_written(const Tensor& t) const;
  bool declared(size_t result, size_t argument) const;
  void check_arguments() const;
  void check_results(ArrayRef<IValue> results) const;
  [[noreturn]] void violation(const std::string& what, const std::string& rule, const std::string& evidence,
                              const char* repair) const;

  const FunctionSchema& schema_;
  std::vector<std::vector<Tensor>> arguments_;   // per argument, its tensors
  std::vector<std::vector<Snapshot>> snapshots_;  // likewise
};

}  // namespace gb
