// binary_op: the one path of the operators out = self (op) other, for every device.
//
//   check (devices, alpha, dtype) -> promote -> broadcast -> make the result -> call the device's kernel
//
// A device brings only a BinaryKernel; Meta has none and stops once the result is made. Both operands of one
// floating dtype, contiguous and of the same sizes, on the CPU: binary_op_cpu then does none of the above, as
// there is nothing to decide. Everything is checked before the result exists or is written.
// Source of the rules: BinaryOps.cpp and TensorIterator.cpp (ATen).
#pragma once

#include "core/tensor.h"
#include "kernels/cpu/binary.h"
#include "ops/common/empty.h"

namespace gb {

using cpu::BinaryOp;

// The arithmetic of one device over a space of out, a, b. `dtype` is that of a and b; out's too, but bool for
// comparisons.
using BinaryKernel = void(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b,
                          const cpu::Strided<3>& space, cpu::ScalarArg alpha, Device device);

Tensor binary_op(BinaryOp op, const Tensor& self, const Tensor& other, const Scalar& alpha,
                 BinaryKernel* kernel);
// self = self (op) other. Keeps the sizes, strides and dtype of self: a comparison writes 0 and 1.
Tensor& binary_op_(BinaryOp op, Tensor& self, const Tensor& other, const Scalar& alpha, BinaryKernel* kernel);

BinaryKernel binary_kernel_cpu;

inline cpu::ScalarArg to_scalar_arg(const Scalar& s) {
  return s.isFloatingPoint() ? cpu::ScalarArg(s.toDouble()) : cpu::ScalarArg(s.toLong());
}

namespace detail {
// Nothing to promote, to broadcast or to refuse? (Two wrapped numbers promote; hence the test of one of
// them.)
inline bool is_plain_pair(const TensorImpl& a, const TensorImpl& b) {
  return a.dtype() == b.dtype() && isFloatingType(a.dtype().toScalarType()) && a.is_contiguous() &&
         b.is_contiguous() && a.device() == b.device() && a.sizes() == b.sizes() && !a.is_wrapped_number();
}
}  // namespace detail

// Inlined into the kernel of each operator, where `op` is a constant.
[[gnu::always_inline]] inline Tensor binary_op_cpu(BinaryOp op, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  const TensorImpl &a = *self.unsafeGetTensorImpl(), &b = *other.unsafeGetTensorImpl();
  if (!detail::is_plain_pair(a, b) || alpha.isBoolean())
    return binary_op(op, self, other, alpha, &binary_kernel_cpu);
  const ScalarType dtype = a.dtype().toScalarType();
  Tensor out = empty_cpu_like_contiguous(self, cpu::isComparison(op) ? kBool : dtype);
  cpu::binary_contiguous(op, dtype, out.mutable_data_ptr(), a.data(), b.data(), a.numel(),
                         to_scalar_arg(alpha));
  return out;
}

[[gnu::always_inline]] inline Tensor& binary_op_cpu_(BinaryOp op, Tensor& self, const Tensor& other, const Scalar& alpha) {
  const TensorImpl &a = *self.unsafeGetTensorImpl(), &b = *other.unsafeGetTensorImpl();
  if (!detail::is_plain_pair(a, b) || alpha.isBoolean() || a.storage().is_alias_of(b.storage()))
    return binary_op_(op, self, other, alpha, &binary_kernel_cpu);
  cpu::binary_contiguous(op, a.dtype().toScalarType(), a.data(), a.data(), b.data(), a.numel(),
                         to_scalar_arg(alpha));
  return self;
}

// The kernels of an operator without alpha, for m.impl.
template <BinaryOp op>
Tensor binary_cpu(const Tensor& self, const Tensor& other) {
  return binary_op_cpu(op, self, other, 1);
}
template <BinaryOp op>
Tensor& binary_inplace_cpu(Tensor& self, const Tensor& other) {
  return binary_op_(op, self, other, 1, &binary_kernel_cpu);
}
template <BinaryOp op>
Tensor binary_meta(const Tensor& self, const Tensor& other) {
  return binary_op(op, self, other, 1, nullptr);
}
template <BinaryOp op>
Tensor& binary_inplace_meta(Tensor& self, const Tensor& other) {
  return binary_op_(op, self, other, 1, nullptr);
}

}  // namespace gb
