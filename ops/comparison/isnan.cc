// isnan and isinf: comparisons with something of self's own. Integers and bools are never either.
#include <limits>

#include "dispatcher/library.h"
#include "ops/comparison/comparison.h"

namespace gb {
namespace {

Tensor isnan_kernel(const Tensor& self) { return ne_op().call(self, self); }

Tensor isinf_kernel(const Tensor& self) {
  if (!self.is_floating_point()) return isnan_kernel(self);
  return self.abs().eq(std::numeric_limits<double>::infinity());
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("isnan(Tensor self) -> Tensor");
  m.def("isinf(Tensor self) -> Tensor");
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("isnan", GB_FN(isnan_kernel));
  m.impl("isinf", GB_FN(isinf_kernel));
}

Tensor isnan(const Tensor& self) { GB_RETURN_CALL(isnan_op(), self); }
Tensor isinf(const Tensor& self) { GB_RETURN_CALL(isinf_op(), self); }
Tensor Tensor::isnan() const { GB_RETURN_CALL(isnan_op(), *this); }
Tensor Tensor::isinf() const { GB_RETURN_CALL(isinf_op(), *this); }

}  // namespace gb
