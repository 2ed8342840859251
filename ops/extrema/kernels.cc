// The CPU and Meta kernels along one dimension. argmax without one sees self as a single line.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/extrema/extrema.h"
#include "ops/extrema/plans.h"
#include "ops/gather/checks.h"

namespace gb {

ReductionPlan extremum_plan(Extremum which, const Tensor& self, int64_t dim, bool keepdim) {
  return ReductionPlan(cpu::ReduceOp::AMax, self, IntArrayRef(&dim, 1), keepdim, std::nullopt,
                       which == Extremum::Max ? "max" : "min");
}

ReductionPlan position_plan(Extremum which, const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  const char* name = which == Extremum::Max ? "argmax" : "argmin";
  const OptionalIntArrayRef dims = dim ? OptionalIntArrayRef(IntArrayRef(&*dim, 1)) : std::nullopt;
  const ReductionPlan plan(cpu::ReduceOp::AMax, self, dims, keepdim, std::nullopt, name);
  GB_CHECK_OR_THROW(self.scalar_type() != kBool, NotImplementedError,
                    .what = fmt::format("gb::{0}: \"{0}_cpu\" not implemented for 'Bool'", name),
                    .cause = "true and false have no order worth a call",
                    .repair = "convert it first: self.to(kLong)", .chapter = chapters::kTensors);
  return plan;
}

namespace {

template <Extremum which>
ValuesAndIndices extremum_meta(const Tensor& self, int64_t dim, bool keepdim) {
  const ReductionPlan plan = extremum_plan(which, self, dim, keepdim);
  return {empty_on(self.device(), plan.sizes, self.scalar_type()),
          empty_on(self.device(), plan.sizes, kLong)};
}

template <Extremum which>
ValuesAndIndices extremum_cpu(const Tensor& self, int64_t dim, bool keepdim) {
  const ReductionPlan plan = extremum_plan(which, self, dim, keepdim);
  const Tensor values = empty_cpu(plan.sizes, self.scalar_type()), indices = empty_cpu(plan.sizes, kLong);
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "max");
  cpu::arg_reduce(which, self.scalar_type(), values.mutable_data_ptr(), indices.mutable_data_ptr<int64_t>(),
                  self.const_data_ptr(), size_or_one(self, at), stride_or_one(self, at), plan.kept(self));
  return {values, indices};
}

template <Extremum which>
Tensor position_meta(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  return empty_on(self.device(), position_plan(which, self, dim, keepdim).sizes, kLong);
}

template <Extremum which>
Tensor position_cpu(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  const ReductionPlan plan = position_plan(which, self, dim, keepdim);
  const Tensor result = empty_cpu(plan.sizes, kLong), line = dim ? self : self.contiguous();
  const int64_t at = dim ? maybe_wrap_dim(*dim, self.dim(), "argmax") : 0;
  cpu::arg_reduce(which, self.scalar_type(), nullptr, result.mutable_data_ptr<int64_t>(),
                  line.const_data_ptr(), dim ? size_or_one(self, at) : self.numel(),
                  dim ? stride_or_one(self, at) : 1, plan.kept(self));
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("max.dim", GB_FN(extremum_cpu<Extremum::Max>));
  m.impl("min.dim", GB_FN(extremum_cpu<Extremum::Min>));
  m.impl("argmax", GB_FN(position_cpu<Extremum::Max>));
  m.impl("argmin", GB_FN(position_cpu<Extremum::Min>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("max.dim", GB_FN(extremum_meta<Extremum::Max>));
  m.impl("min.dim", GB_FN(extremum_meta<Extremum::Min>));
  m.impl("argmax", GB_FN(position_meta<Extremum::Max>));
  m.impl("argmin", GB_FN(position_meta<Extremum::Min>));
}

}  // namespace gb
