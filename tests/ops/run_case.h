// Running an OpCase on glassbox alone: the boxed call, and the case as a function of its differentiable inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/op_case.h"

namespace gb::tests {

// The results of the boxed call, or the text of the error.
struct Run {
  Stack arguments;  // as they are after the call
  Stack results;
  std::optional<std::string> error;
};
Run run(const OpCase& op_case, const MakeOptions& options);

// What gradcheck needs: the inputs that require grad, and the function of them that calls the operator with the
// other arguments fixed. An input that the operator writes is cloned first.
struct DifferentiableCase {
  std::vector<Tensor> inputs;
  std::vector<Tensor> call(const std::vector<Tensor>& inputs) const;

  std::string op;
  Stack arguments;
  std::vector<size_t> positions;
};
DifferentiableCase differentiable_case(const OpCase& op_case, uint64_t seed = 1);

// "sizes [2, 3], strides [3, 1], Float" of each tensor in a stack.
std::string geometry(const Stack& values);

}  // namespace gb::tests
