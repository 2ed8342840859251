// unary_op: the one path of the operators out = f(self), for every device; see binary_op.h for the shape of
// it.
//
// neg, abs, sign, relu and floor keep the dtype; the others compute integers and bools in the default
// floating dtype, so in place, where the result must fit self's dtype, they refuse them. Source of the rules:
// UnaryOps.cpp (ATen).
#pragma once

#include "core/tensor.h"
#include "kernels/cpu/unary.h"

namespace gb {

using cpu::UnaryOp;

using UnaryKernel = void(UnaryOp op, ScalarType dtype, void* out, const void* a, const cpu::Strided<2>& space,
                         Device device);

Tensor unary_op(UnaryOp op, const Tensor& self, UnaryKernel* kernel);  // kernel null: Meta
Tensor& unary_op_(UnaryOp op, Tensor& self, UnaryKernel* kernel);      // self = f(self)

UnaryKernel unary_kernel_cpu;

// The kernels of an operator, for m.impl.
template <UnaryOp op>
Tensor unary_cpu(const Tensor& self) {
  return unary_op(op, self, &unary_kernel_cpu);
}
template <UnaryOp op>
Tensor& unary_inplace_cpu(Tensor& self) {
  return unary_op_(op, self, &unary_kernel_cpu);
}
template <UnaryOp op>
Tensor unary_meta(const Tensor& self) {
  return unary_op(op, self, nullptr);
}
template <UnaryOp op>
Tensor& unary_inplace_meta(Tensor& self) {
  return unary_op_(op, self, nullptr);
}

}  // namespace gb
