#include "ops/common/unary_op.h"

#include "core/error.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"
#include "ops/common/type_promotion.h"

namespace gb {

Tensor unary_op(UnaryOp op, const Tensor& self, UnaryKernel* kernel) {
  check_defined(self, toString(op), "self");
  GB_CHECK_OR_THROW(op != UnaryOp::Neg || self.scalar_type() != kBool, Error,
                    .what = "neg: Negation, the `-` operator, on a bool tensor is not supported",
                    .cause = "a bool has no negative",
                    .repair = "use eq(false) for \"not\", or convert: x.to(kLong)",
                    .chapter = chapters::kTensors);
  const ScalarType dtype = op == UnaryOp::Neg ? self.scalar_type() : floating_type_of(self.scalar_type());
  Tensor out =
      empty_strided_on(self.device(), self.sizes(), elementwise_strides(self.sizes(), {&self}), dtype);
  if (!kernel || out.numel() == 0) return out;
  const Tensor input = self.scalar_type() == dtype ? self : self.to(dtype);
  kernel(op, dtype, out.mutable_data_ptr(), input.const_data_ptr(), elementwise_space<2>({&out, &input}),
         out.device());
  return out;
}

void unary_kernel_cpu(UnaryOp op, ScalarType dtype, void* out, const void* a, const cpu::Strided<2>& space,
                      Device) {
  cpu::unary(op, dtype, out, a, space);
}

}  // namespace gb
