// detach: the same data seen without its history. A view, so that writes show and versions count on both
// sides, but one that no gradient passes.
#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/operator.h"
#include "ops/common/record.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

Tensor detach_kernel(const Tensor& self) {
  check_defined(self, "detach", "self");
  return Tensor(self.unsafeGetTensorImpl()->shallow_copy_and_detach(
      self.is_inference() ? VariableVersion() : VariableVersion(0)));
}

Tensor detach_view(DispatchKeySet ks, const Tensor& self) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor view = detach_op().redispatch(ks & after_ADInplaceOrView_keyset, self);
  return autograd::as_view(self, std::move(view), /*differentiable=*/false);
}

Tensor detach_autograd(DispatchKeySet ks, const Tensor& self) {
  AutoDispatchBelowAutograd guard;
  return detach_op().redispatch(ks & after_autograd_keyset, self);
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) { m.def("detach(Tensor(a) self) -> Tensor(a)"); }
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("detach", GB_FN(detach_kernel)); }
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("detach", GB_FN(detach_view)); }
GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("detach", GB_FN(detach_autograd)); }

const DetachOp& detach_op() {
  static const DetachOp op = find_operator<DetachOp>("aten::detach", "");
  return op;
}

Tensor detach(const Tensor& self) { GB_RETURN_CALL(detach_op(), self); }
Tensor Tensor::detach() const { GB_RETURN_CALL(detach_op(), *this); }

}  // namespace gb
