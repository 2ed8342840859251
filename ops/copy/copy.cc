// copy_(self, src): schema, entry point, and the checks that all devices share.
#include "ops/copy/copy.h"

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/geometry.h"
#include "ops/common/operator.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)");
}

const CopyOp_& copy__op() {
  static const CopyOp_ op = find_operator<CopyOp_>("aten::copy_", "");
  return op;
}

Tensor& Tensor::copy_(const Tensor& src, bool non_blocking) const {
  GB_RETURN_CALL(copy__op(), const_cast<Tensor&>(*this), src, non_blocking);
}

void check_copy(const Tensor& self, const Tensor& src) {
  check_defined(self, "copy_", "self");
  check_defined(src, "copy_", "src");
  if (self.is_same(src)) return;  // nothing will be written
  check_broadcasts_into(src.sizes(), self.sizes(), "copy_");
  check_no_internal_overlap(self, "copy_");
  check_no_partial_overlap(self, src, "copy_");
}

}  // namespace gb
