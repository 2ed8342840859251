#include "ops/common/unary_op.h"

#include "core/error.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"
#include "ops/common/type_promotion.h"

namespace gb {
namespace {

// neg, abs, sign, relu, floor: the dtype stays. The others compute integers and bools in the default floating
// dtype.
bool keeps_dtype(UnaryOp op) { return op == UnaryOp::Neg || op >= UnaryOp::Relu; }

// The dtype of the result. Checks everything that the dtype alone decides.
ScalarType checked_dtype(UnaryOp op, const Tensor& self) {
  check_defined(self, toString(op), "self");
  const ScalarType dtype = self.scalar_type();
  GB_CHECK_OR_THROW(op != UnaryOp::Neg || dtype != kBool, Error,
                    .what = "neg: Negation, the `-` operator, on a bool tensor is not supported",
                    .cause = "a bool has no negative",
                    .repair = "use eq(false) for \"not\", or convert: x.to(kLong)",
                    .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(op != UnaryOp::Relu || dtype != kBool, Error,
                    .what = "relu: Boolean inputs not supported for relu", .cause = "self is a bool tensor",
                    .repair = "convert it: x.to(kFloat)", .chapter = chapters::kTensors);
  return keeps_dtype(op) ? dtype : floating_type_of(dtype);
}

}  // namespace

Tensor unary_op(UnaryOp op, const Tensor& self, UnaryKernel* kernel) {
  const ScalarType dtype = checked_dtype(op, self);
  Tensor out =
      empty_strided_on(self.device(), self.sizes(), elementwise_strides(self.sizes(), {&self}), dtype);
  if (!kernel || out.numel() == 0) return out;
  const Tensor input = self.scalar_type() == dtype ? self : self.to(dtype);
  kernel(op, dtype, out.mutable_data_ptr(), input.const_data_ptr(), elementwise_space<2>({&out, &input}),
         out.device());
  return out;
}

Tensor& unary_op_(UnaryOp op, Tensor& self, UnaryKernel* kernel) {
  const ScalarType dtype = checked_dtype(op, self);
  const std::string name = std::string(toString(op)) + "_";
  check_can_cast(dtype, self.scalar_type(), name.c_str());  // so the two are the same
  check_no_internal_overlap(self, name.c_str());
  if (!kernel || self.numel() == 0) return self;
  kernel(op, dtype, self.mutable_data_ptr(), self.const_data_ptr(), elementwise_space<2>({&self, &self}),
         self.device());
  return self;
}

void unary_kernel_cpu(UnaryOp op, ScalarType dtype, void* out, const void* a, const cpu::Strided<2>& space,
                      Device) {
  cpu::unary(op, dtype, out, a, space);
}

}  // namespace gb
