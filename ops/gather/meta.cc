// The values of the indices are not there to be checked.
#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/gather/checks.h"
#include "ops/gather/gather.h"

namespace gb {
namespace {

Tensor gather_meta(const Tensor& self, int64_t dim, const Tensor& index, bool) {
  check_gather(self, dim, index);
  return empty_on(self.device(), index.sizes(), self.scalar_type());
}

Tensor scatter_add_meta(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  check_scatter_add(self, dim, index, src);
  return empty_on(self.device(), self.sizes(), self.scalar_type());
}

Tensor& scatter_add__meta(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  check_scatter_add_(self, dim, index, src);
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("gather", GB_FN(gather_meta));
  m.impl("scatter_add", GB_FN(scatter_add_meta));
  m.impl("scatter_add_", GB_FN(scatter_add__meta));
}

}  // namespace gb
