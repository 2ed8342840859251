// C++ text of expressions and positions in memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compile/lowering/loop_ir.h"

namespace gb::compiler {

const char* c_type(ScalarType dtype);  // "float", "double"

// "i0 * 600 + i1 + 8": strides per loop variable i0, i1, ...; "0" where nothing is left. Loops of size 1 are
// left out.
std::string position(const std::vector<int64_t>& strides, const std::vector<int64_t>& sizes, int64_t offset);

// A literal of the type: "0.5f", "1.0", "INFINITY".
std::string literal(double value, ScalarType dtype);

// `load` gives the text of a load. Parentheses only where C++ needs them to keep the order of the operations.
std::string expression(const ExprPtr& expr, ScalarType dtype,
                       const std::function<std::string(const Expr&)>& load);

}  // namespace gb::compiler
