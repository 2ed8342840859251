#include "dispatcher/library.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/gather/checks.h"
#include "ops/gather/cuda_indices.h"
#include "ops/gather/gather.h"

namespace gb {
namespace {

Tensor gather_cuda(const Tensor& self, int64_t dim_, const Tensor& index, bool) {
  const int64_t dim = check_gather(self, dim_, index);
  const cuda::DeviceGuard guard(self.device());
  Tensor result = empty_on(self.device(), index.sizes(), self.scalar_type());
  if (index.numel() == 0) return result;
  check_indices_cuda("gather", index, dim, size_or_one(self, dim));
  cuda::gather(self.scalar_type(), result.mutable_data_ptr(), self.const_data_ptr(),
               index.const_data_ptr<int64_t>(), index_space(result, self, index, dim, false),
               stride_or_one(self, dim), cuda::current_stream());
  return result;
}

void add_into(const Tensor& result, int64_t dim, const Tensor& index, const Tensor& src, const char* op) {
  if (index.numel() == 0) return;
  const cuda::DeviceGuard guard(result.device());
  check_indices_cuda(op, index, dim, size_or_one(result, dim));
  cuda::scatter_add(result.scalar_type(), result.mutable_data_ptr(), src.const_data_ptr(),
                    index.const_data_ptr<int64_t>(), index_space(result, src, index, dim, true),
                    stride_or_one(result, dim), cuda::current_stream());
}

Tensor scatter_add_cuda(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  const int64_t at = check_scatter_add(self, dim, index, src);
  Tensor result = self.clone(MemoryFormat::Contiguous);
  add_into(result, at, index, src, "scatter_add");
  return result;
}
Tensor& scatter_add__cuda(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  add_into(self, check_scatter_add_(self, dim, index, src), index, src, "scatter_add_");
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("gather", GB_FN(gather_cuda));
  m.impl("scatter_add", GB_FN(scatter_add_cuda));
  m.impl("scatter_add_", GB_FN(scatter_add__cuda));
}

}  // namespace gb
