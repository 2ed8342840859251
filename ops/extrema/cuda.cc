// The CUDA kernels along one dimension, as kernels.cc has the CPU's.
#include "dispatcher/library.h"
#include "kernels/cuda/reduce/along.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/extrema/extrema.h"
#include "ops/extrema/plans.h"
#include "ops/gather/checks.h"

namespace gb {
namespace {

template <Extremum which>
ValuesAndIndices extremum_cuda(const Tensor& self, int64_t dim, bool keepdim) {
  const ReductionPlan plan = extremum_plan(which, self, dim, keepdim);
  const cuda::DeviceGuard guard(self.device());
  const Tensor values = empty_on(self.device(), plan.sizes, self.scalar_type()),
               indices = empty_on(self.device(), plan.sizes, kLong);
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "max");
  cuda::arg_reduce(which, self.scalar_type(), values.mutable_data_ptr(), indices.mutable_data_ptr<int64_t>(),
                   self.const_data_ptr(), size_or_one(self, at), stride_or_one(self, at), plan.kept(self),
                   cuda::current_stream());
  return {values, indices};
}

template <Extremum which>
Tensor position_cuda(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  const ReductionPlan plan = position_plan(which, self, dim, keepdim);
  const cuda::DeviceGuard guard(self.device());
  const Tensor result = empty_on(self.device(), plan.sizes, kLong), line = dim ? self : self.contiguous();
  const int64_t at = dim ? maybe_wrap_dim(*dim, self.dim(), "argmax") : 0;
  cuda::arg_reduce(which, self.scalar_type(), nullptr, result.mutable_data_ptr<int64_t>(), line.const_data_ptr(),
                   dim ? size_or_one(self, at) : self.numel(), dim ? stride_or_one(self, at) : 1, plan.kept(self),
                   cuda::current_stream());
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("max.dim", GB_FN(extremum_cuda<Extremum::Max>));
  m.impl("min.dim", GB_FN(extremum_cuda<Extremum::Min>));
  m.impl("argmax", GB_FN(position_cuda<Extremum::Max>));
  m.impl("argmin", GB_FN(position_cuda<Extremum::Min>));
}

}  // namespace gb
