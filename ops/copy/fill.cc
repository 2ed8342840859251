// fill_ and zero_: schemas and entry points. Both may write an expanded tensor: every element gets the same
// value.
#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/operator.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

Tensor& zero__kernel(Tensor& self) { return self.fill_(0); }

Tensor& fill_tensor__kernel(Tensor& self, const Tensor& value) {
  check_defined(value, "fill_", "value");
  GB_CHECK_OR_THROW(
      value.dim() == 0, Error,
      .what = fmt::format(
          "gb::fill_: fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
          value.dim()),
      .cause = "every element gets the same value", .repair = "use copy_, which broadcasts",
      .chapter = chapters::kTensors);
  return self.is_meta() ? self : self.fill_(value.item());
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)");
  m.def("fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)");
  m.def("zero_(Tensor(a!) self) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("fill_.Tensor", GB_FN(fill_tensor__kernel));
  m.impl("zero_", GB_FN(zero__kernel));
}

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
Tensor& Tensor::fill_(const Tensor& value) const {
  GB_RETURN_CALL(fill_tensor__op(), const_cast<Tensor&>(*this), value);
}
Tensor& Tensor::zero_() const { GB_RETURN_CALL(zero__op(), const_cast<Tensor&>(*this)); }

}  // namespace gb
