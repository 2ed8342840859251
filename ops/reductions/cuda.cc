#include "dispatcher/library.h"
#include "kernels/cuda/reduce/column_sums.h"
#include "kernels/cuda/reduce/reduce.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/reductions/plan.h"
#include "ops/reductions/reductions.h"

namespace gb {
namespace {

Tensor reduce_cuda(cpu::ReduceOp op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> dtype) {
  const ReductionPlan plan(op, self, dim, keepdim, dtype);
  const cuda::DeviceGuard guard(self.device());
  const Tensor input = self.scalar_type() == plan.input_dtype ? self : self.to(plan.input_dtype);
  Tensor result = empty_on(self.device(), plan.sizes, plan.kernel_dtype);
  const cpu::Dims<2> kept = plan.kept(input);
  const cpu::Dims<1> reduced = plan.reduced(input);
  if (std::optional<cuda::ColumnSumsArgs> columns = cuda::as_column_sums(op, plan.input_dtype, kept, reduced)) {
    columns->out = result.mutable_data_ptr(), columns->in = input.const_data_ptr();
    columns->stream = cuda::current_stream();
    const auto scratch_bytes = static_cast<int64_t>(cuda::column_sums_scratch(*columns));
    const Tensor scratch = empty_on(self.device(), {scratch_bytes}, kBool);  // a Bool is a byte
    columns->scratch = scratch.mutable_data_ptr();
    cuda::column_sums(*columns);
  } else {
    cuda::reduce(op, plan.kernel_dtype, result.mutable_data_ptr(), plan.input_dtype, input.const_data_ptr(), kept,
                 reduced, cuda::current_stream());
  }
  return plan.output_dtype == plan.kernel_dtype ? result : result.to(plan.output_dtype);
}

Tensor sum_cuda(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_cuda(cpu::ReduceOp::Sum, self, dim, keepdim, dtype);
}
Tensor mean_cuda(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_cuda(cpu::ReduceOp::Mean, self, dim, keepdim, dtype);
}
Tensor amax_cuda(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return reduce_cuda(cpu::ReduceOp::AMax, self, dim, keepdim, std::nullopt);
}
Tensor amin_cuda(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return reduce_cuda(cpu::ReduceOp::AMin, self, dim, keepdim, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_cuda(const Tensor& self) {
  return reduce_cuda(op, self, std::nullopt, false, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_dim_cuda(const Tensor& self, int64_t dim, bool keepdim) {
  return reduce_cuda(op, self, IntArrayRef(&dim, 1), keepdim, std::nullopt);
}
template <cpu::ReduceOp op>
Tensor truth_dims_cuda(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return reduce_cuda(op, self, dim, keepdim, std::nullopt);
}
Tensor prod_cuda(const Tensor& self, std::optional<ScalarType> dtype) {
  return reduce_cuda(cpu::ReduceOp::Prod, self, std::nullopt, false, dtype);
}
Tensor prod_dim_cuda(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  return reduce_cuda(cpu::ReduceOp::Prod, self, IntArrayRef(&dim, 1), keepdim, dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("sum.dim_IntList", GB_FN(sum_cuda));
  m.impl("mean.dim", GB_FN(mean_cuda));
  m.impl("amax", GB_FN(amax_cuda));
  m.impl("amin", GB_FN(amin_cuda));
  m.impl("any", GB_FN(truth_cuda<cpu::ReduceOp::Any>));
  m.impl("any.dim", GB_FN(truth_dim_cuda<cpu::ReduceOp::Any>));
  m.impl("any.dims", GB_FN(truth_dims_cuda<cpu::ReduceOp::Any>));
  m.impl("all", GB_FN(truth_cuda<cpu::ReduceOp::All>));
  m.impl("all.dim", GB_FN(truth_dim_cuda<cpu::ReduceOp::All>));
  m.impl("all.dims", GB_FN(truth_dims_cuda<cpu::ReduceOp::All>));
  m.impl("prod", GB_FN(prod_cuda));
  m.impl("prod.dim_int", GB_FN(prod_dim_cuda));
}

}  // namespace gb
