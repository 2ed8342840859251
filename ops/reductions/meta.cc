#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/reductions/plan.h"
#include "ops/reductions/reductions.h"

namespace gb {
namespace {

Tensor reduce_meta(cpu::ReduceOp op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> dtype) {
  const ReductionPlan plan(op, self, dim, keepdim, dtype);
  return empty_on(self.device(), plan.sizes, plan.output_dtype);
}

Tensor sum_meta(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_meta(cpu::ReduceOp::Sum, self, dim, keepdim, dtype);
}
Tensor mean_meta(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_meta(cpu::ReduceOp::Mean, self, dim, keepdim, dtype);
}
Tensor amax_meta(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return reduce_meta(cpu::ReduceOp::AMax, self, dim, keepdim, std::nullopt);
}
Tensor amin_meta(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return reduce_meta(cpu::ReduceOp::AMin, self, dim, keepdim, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_meta(const Tensor& self) {
  return reduce_meta(op, self, std::nullopt, false, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_dim_meta(const Tensor& self, int64_t dim, bool keepdim) {
  return reduce_meta(op, self, IntArrayRef(&dim, 1), keepdim, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_dims_meta(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return reduce_meta(op, self, dim, keepdim, std::nullopt);
}
Tensor prod_meta(const Tensor& self, std::optional<ScalarType> dtype) {
  return reduce_meta(cpu::ReduceOp::Prod, self, std::nullopt, false, dtype);
}
Tensor prod_dim_meta(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_meta(cpu::ReduceOp::Prod, self, IntArrayRef(&dim, 1), keepdim, dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("sum.dim_IntList", GB_FN(sum_meta));
  m.impl("mean.dim", GB_FN(mean_meta));
  m.impl("amax", GB_FN(amax_meta));
  m.impl("amin", GB_FN(amin_meta));
  m.impl("any", GB_FN(truth_meta<cpu::ReduceOp::Any>));
  m.impl("any.dim", GB_FN(truth_dim_meta<cpu::ReduceOp::Any>));
  m.impl("any.dims", GB_FN(truth_dims_meta<cpu::ReduceOp::Any>));
  m.impl("all", GB_FN(truth_meta<cpu::ReduceOp::All>));
  m.impl("all.dim", GB_FN(truth_dim_meta<cpu::ReduceOp::All>));
  m.impl("all.dims", GB_FN(truth_dims_meta<cpu::ReduceOp::All>));
  m.impl("prod", GB_FN(prod_meta));
  m.impl("prod.dim_int", GB_FN(prod_dim_meta));
}

}  // namespace gb
