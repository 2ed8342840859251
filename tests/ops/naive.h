// Operators computed the obvious way: loops over elements in double, no broadcasting tricks, no operator of glassbox. They
// check the values where no LibTorch is installed.
#pragma once

#include <map>
#include <string>

#include "tests/op_case.h"

namespace gb::tests {

// From the arguments of the boxed call, all defaults filled in, to the result in the dtype that the operator gives.
using Naive = Tensor (*)(const Stack& arguments);
const std::map<std::string, Naive>& naive_references();  // by operator name

}  // namespace gb::tests
