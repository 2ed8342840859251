// All operators' cases in one list, and a way to pick from it.
#pragma once

#include "tests/op_case.h"

namespace gb::tests {

const std::vector<OpCase>& all_op_cases();

// "aten::add.Tensor (broadcast), double": one run of one case.
std::string describe(const OpCase& op_case, ScalarType dtype);

}  // namespace gb::tests
