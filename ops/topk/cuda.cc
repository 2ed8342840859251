// The positions by a kernel, the values by gather. What is found is in order, whether or not it was asked for.
#include "dispatcher/library.h"
#include "kernels/cuda/reduce/along.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/gather/checks.h"
#include "ops/topk/plan.h"
#include "ops/topk/topk.h"

namespace gb {
namespace {

std::tuple<Tensor, Tensor> topk_cuda(const Tensor& self, int64_t k, int64_t dim, bool largest, bool) {
  const std::vector<int64_t> sizes = topk_sizes(self, k, dim);
  const cuda::DeviceGuard guard(self.device());
  const Tensor indices = empty_on(self.device(), sizes, kLong);
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "topk");
  cpu::Dims<2> others;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (d != at) others.push(self.size(d), {stride_or_one(indices, d), stride_or_one(self, d)});
  cuda::topk(self.scalar_type(), indices.mutable_data_ptr<int64_t>(), self.const_data_ptr(), size_or_one(self, at), k,
             stride_or_one(indices, at), stride_or_one(self, at), largest, others, cuda::current_stream());
  return {self.gather(dim, indices), indices};
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("topk", GB_FN(topk_cuda)); }

}  // namespace gb
