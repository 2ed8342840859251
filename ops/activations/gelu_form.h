// Which of its two forms a call of gelu asks for. Both check what gelu takes, and throw.
#pragma once

#include <string_view>

#include "core/tensor.h"
#include "ops/common/binary_op.h"
#include "ops/common/unary_op.h"

namespace gb {

UnaryOp gelu_form(const Tensor& self, std::string_view approximate);
BinaryOp gelu_backward_form(const Tensor& self, std::string_view approximate);

}  // namespace gb
