// unary_op: the one path of neg, exp and log, for every device; see binary_op.h for the shape of it.
//
// exp and log of integers and bools compute in the default floating dtype; neg refuses bool.
// Source of the rules: UnaryOps.cpp (ATen).
#pragma once

#include "core/tensor.h"
#include "kernels/cpu/unary.h"

namespace gb {

using cpu::UnaryOp;

using UnaryKernel = void(UnaryOp op, ScalarType dtype, void* out, const void* a, const cpu::Strided<2>& space,
                         Device device);

Tensor unary_op(UnaryOp op, const Tensor& self, UnaryKernel* kernel);  // kernel null: Meta

UnaryKernel unary_kernel_cpu;

}  // namespace gb
