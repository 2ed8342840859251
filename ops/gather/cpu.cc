#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/gather/checks.h"
#include "ops/gather/gather.h"

namespace gb {
namespace {

Tensor gather_cpu(const Tensor& self, int64_t dim_, const Tensor& index, bool) {
  const int64_t dim = check_gather(self, dim_, index);
  Tensor result = empty_cpu(index.sizes(), self.scalar_type());
  if (index.numel() == 0) return result;
  const int64_t size = size_or_one(self, dim);
  check_indices("gather",
                cpu::gather(self.scalar_type(), result.mutable_data_ptr(), self.const_data_ptr(),
                            index.const_data_ptr<int64_t>(), index_space(result, self, index, dim, false),
                            size, stride_or_one(self, dim)),
                dim, size);
  return result;
}

// `op` for errors. Every index is looked at before anything is written.
void add_into(Tensor& result, int64_t dim, const Tensor& index, const Tensor& src, const char* op) {
  if (index.numel() == 0) return;
  const int64_t size = size_or_one(result, dim);
  check_indices(op,
                cpu::scatter_add(result.scalar_type(), result.mutable_data_ptr(), src.const_data_ptr(),
                                 index.const_data_ptr<int64_t>(), index_space(result, src, index, dim, true), size,
                                 stride_or_one(result, dim)),
                dim, size);
}

Tensor scatter_add_cpu(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  const int64_t at = check_scatter_add(self, dim, index, src);
  Tensor result = self.clone(MemoryFormat::Contiguous);
  add_into(result, at, index, src, "scatter_add");
  return result;
}

Tensor& scatter_add__cpu(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  add_into(self, check_scatter_add_(self, dim, index, src), index, src, "scatter_add_");
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("gather", GB_FN(gather_cpu));
  m.impl("scatter_add", GB_FN(scatter_add_cpu));
  m.impl("scatter_add_", GB_FN(scatter_add__cpu));
}

}  // namespace gb
