#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/reductions/plan.h"
#include "ops/reductions/reductions.h"

namespace gb {
namespace {

Tensor reduce_cpu(cpu::ReduceOp op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                  std::optional<ScalarType> dtype) {
  const ReductionPlan plan(op, self, dim, keepdim, dtype);
  const Tensor input = self.scalar_type() == plan.input_dtype ? self : self.to(plan.input_dtype);
  Tensor result = empty_cpu(plan.sizes, plan.kernel_dtype);
  cpu::reduce(op, plan.kernel_dtype, result.mutable_data_ptr(), plan.input_dtype, input.const_data_ptr(),
              plan.kept(input), plan.reduced(input));
  return plan.output_dtype == plan.kernel_dtype ? result : result.to(plan.output_dtype);
}

Tensor sum_cpu(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_cpu(cpu::ReduceOp::Sum, self, dim, keepdim, dtype);
}
Tensor mean_cpu(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_cpu(cpu::ReduceOp::Mean, self, dim, keepdim, dtype);
}
Tensor amax_cpu(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return reduce_cpu(cpu::ReduceOp::AMax, self, dim, keepdim, std::nullopt);
}
Tensor amin_cpu(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return reduce_cpu(cpu::ReduceOp::AMin, self, dim, keepdim, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_cpu(const Tensor& self) {
  return reduce_cpu(op, self, std::nullopt, false, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_dim_cpu(const Tensor& self, int64_t dim, bool keepdim) {
  return reduce_cpu(op, self, IntArrayRef(&dim, 1), keepdim, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_dims_cpu(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return reduce_cpu(op, self, dim, keepdim, std::nullopt);
}
Tensor prod_cpu(const Tensor& self, std::optional<ScalarType> dtype) {
  return reduce_cpu(cpu::ReduceOp::Prod, self, std::nullopt, false, dtype);
}
Tensor prod_dim_cpu(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_cpu(cpu::ReduceOp::Prod, self, IntArrayRef(&dim, 1), keepdim, dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("sum.dim_IntList", GB_FN(sum_cpu));
  m.impl("mean.dim", GB_FN(mean_cpu));
  m.impl("amax", GB_FN(amax_cpu));
  m.impl("amin", GB_FN(amin_cpu));
  m.impl("any", GB_FN(truth_cpu<cpu::ReduceOp::Any>));
  m.impl("any.dim", GB_FN(truth_dim_cpu<cpu::ReduceOp::Any>));
  m.impl("any.dims", GB_FN(truth_dims_cpu<cpu::ReduceOp::Any>));
  m.impl("all", GB_FN(truth_cpu<cpu::ReduceOp::All>));
  m.impl("all.dim", GB_FN(truth_dim_cpu<cpu::ReduceOp::All>));
  m.impl("all.dims", GB_FN(truth_dims_cpu<cpu::ReduceOp::All>));
  m.impl("prod", GB_FN(prod_cpu));
  m.impl("prod.dim_int", GB_FN(prod_dim_cpu));
}

}  // namespace gb
