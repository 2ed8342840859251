// As kernels.cc, on a GPU. Where an index occurs twice, index_add_ adds in no fixed order.
#include "dispatcher/library.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/gather/checks.h"
#include "ops/gather/cuda_indices.h"
#include "ops/index_select/index_select.h"
#include "ops/index_select/plan.h"

namespace gb {
namespace {

// As int64, contiguous, and all in bounds.
Tensor checked_places(const char* op, const Tensor& index, int64_t dim, int64_t size) {
  const Tensor places = index.to(kLong).contiguous();
  if (places.numel() > 0) check_indices_cuda(op, places, dim, size);
  return places;
}

Tensor index_select_cuda(const Tensor& self, int64_t dim, const Tensor& index) {
  const cuda::DeviceGuard guard(self.device());
  const Tensor result = index_select_result(self, dim, index);
  if (result.numel() == 0) return result;
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "index_select");
  const Tensor places = checked_places("index_select", index, at, size_or_one(self, at));
  cuda::gather(self.scalar_type(), result.mutable_data_ptr(), self.const_data_ptr(), places.const_data_ptr<int64_t>(),
               slice_space(result, self, result, at), stride_or_one(self, at), cuda::current_stream());
  return result;
}

Tensor& index_add__cuda(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  check_index_add_(self, dim, index, source);
  if (source.numel() == 0) return self;
  const cuda::DeviceGuard guard(self.device());
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "index_add_");
  const Tensor added = source.mul(alpha).to(self.scalar_type()),
               places = checked_places("index_add_", index, at, size_or_one(self, at));
  cuda::scatter_add(self.scalar_type(), self.mutable_data_ptr(), added.const_data_ptr(),
                    places.const_data_ptr<int64_t>(), slice_space(self, added, added, at), stride_or_one(self, at),
                    cuda::current_stream());
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("index_select", GB_FN(index_select_cuda));
  m.impl("index_add_", GB_FN(index_add__cuda));
}

}  // namespace gb
