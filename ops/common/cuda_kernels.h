// The CUDA sides of binary_op.h and unary_op.h: make the tensors' device current, launch on its stream.
#pragma once

#include "ops/common/binary_op.h"
#include "ops/common/unary_op.h"

namespace gb {

BinaryKernel binary_kernel_cuda;
UnaryKernel unary_kernel_cuda;

}  // namespace gb
