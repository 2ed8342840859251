// What the register_* verbs share: where a call stands, how an operator is found, and "once per key".
//
// Every verb is a function on a Library (whose registrations end with it) and the name of an operator that is defined
// already, custom_op or not; the methods of CustomOpDef call them. A verb checks everything before it changes anything.
#pragma once

#include <string>

#include "dispatcher/library.h"

namespace gb {

// Where a registration stands; printed with every kernel. As a default argument it names the caller:
// `Place at = {__builtin_FILE(), __builtin_LINE()}`.
struct Place {
  const char* file;
  uint32_t line;
};
std::string to_string(const Place& place);  // "model/ops.cc:17"

namespace detail {

// `name`: "lynx_cortex::softmax" or "lynx_cortex::softmax.out". Throws Error, naming the verb, where it is not defined.
OperatorHandle find_defined(const char* verb, const std::string& name);
// Throws Error, naming both places, where the operator has a kernel for `key` already.
void check_free(const char* verb, const OperatorHandle& op, DispatchKey key, const Place& at);
// In PyTorch's words: no output may be, or share memory with, an input or another output.
bool is_functional(const FunctionSchema& schema);
// Tensor, Tensor?, Tensor[], Tensor?[], Tensor[]?: does a value of this type hold tensors?
bool holds_tensors(const Type& type);
// Do the two carry a common alias set, or one of them a wildcard, on the value or on its elements? Stricter than
// may_contain_alias, for which the elements of any two lists may be shared.
bool declares_alias(const Argument& a, const Argument& b);
bool has_tensor_argument(const FunctionSchema& schema);

}  // namespace detail
}  // namespace gb
