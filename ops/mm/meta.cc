#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/mm/checks.h"
#include "ops/mm/mm.h"

namespace gb {
namespace {

Tensor mm_meta(const Tensor& self, const Tensor& mat2) {
  check_matrix_product(self, mat2, "mm");
  return empty_on(self.device(), {self.sizes()[0], mat2.sizes()[1]}, self.scalar_type());
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("mm", GB_FN(mm_meta)); }

}  // namespace gb
