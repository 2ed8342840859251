// As scan.cc, on a GPU.
#include "dispatcher/library.h"
#include "kernels/cuda/reduce/along.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/gather/checks.h"
#include "ops/scan/plan.h"

namespace gb {
namespace {

Tensor cumsum_cuda(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  const ScalarType asked = cumsum_dtype(self, dim, dtype), summed = isFloatingType(asked) ? asked : kLong;
  const cuda::DeviceGuard guard(self.device());
  const Tensor input = self.to(asked).to(summed), result = empty_on(self.device(), self.sizes(), summed);
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "cumsum");
  cpu::Dims<2> others;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (d != at) others.push(self.size(d), {stride_or_one(result, d), stride_or_one(input, d)});
  cuda::cumsum(summed, result.mutable_data_ptr(), input.const_data_ptr(), size_or_one(self, at),
               stride_or_one(result, at), stride_or_one(input, at), others, cuda::current_stream());
  return result.to(asked);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("cumsum", GB_FN(cumsum_cuda)); }

}  // namespace gb
