// fill_ and zero_: schemas and entry points. Both may write an expanded tensor: every element gets the same
// value.
#include "dispatcher/library.h"
#include "ops/common/operator.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

Tensor& zero__kernel(Tensor& self) { return self.fill_(0); }

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)");
  m.def("zero_(Tensor(a!) self) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("zero_", GB_FN(zero__kernel)); }

const FillOp_& fill__op() {
  static const FillOp_ op = find_operator<FillOp_>("aten::fill_", "Scalar");
  return op;
}
const ZeroOp_& zero__op() {
  static const ZeroOp_ op = find_operator<ZeroOp_>("aten::zero_", "");
  return op;
}

Tensor& Tensor::fill_(const Scalar& value) const {
  GB_RETURN_CALL(fill__op(), const_cast<Tensor&>(*this), value);
}
Tensor& Tensor::zero_() const { GB_RETURN_CALL(zero__op(), const_cast<Tensor&>(*this)); }

}  // namespace gb
