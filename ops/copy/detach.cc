// detach: the same data seen without its history. A view, so that writes show and versions count on both
// sides, but one that no gradient passes. detach_ takes the history off the tensor itself, which then is a leaf that
// requires no gradient; what was computed from it before keeps its graph.
#include <fmt/format.h>

#include "autograd/view.h"
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

Tensor& detach__kernel(Tensor& self) {
  check_defined(self, "detach_", "self");
  return self;
}

Tensor& detach__autograd(DispatchKeySet, Tensor& self) {
  check_defined(self, "detach_", "self");
  GB_CHECK_OR_THROW(!self.is_view(), Error,
                    .what = "detach_: Can't detach views in-place. Use detach() instead",
                    .cause = fmt::format("the tensor of sizes {} is a view, and its history that of its base",
                                         to_string(self.sizes())),
                    .repair = "use detach(), or detach_() the base", .chapter = chapters::kAutograd);
  autograd::AutogradMeta* meta = autograd::impl::get_autograd_meta(self);
  if (!meta) return self;
  meta->requires_grad_ = false;
  meta->output_nr_ = 0;
  autograd::release_node(std::move(meta->grad_fn_));
  return self;
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("detach(Tensor(a) self) -> Tensor(a)");
  m.def("detach_(Tensor(a!) self) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("detach", GB_FN(detach_kernel));
  m.impl("detach_", GB_FN(detach__kernel));
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("detach", GB_FN(detach_view));
  m.impl("detach_", CppFunction::makeFallthrough());  // no value changes, so no version does
}
GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("detach", GB_FN(detach_autograd));
  m.impl("detach_", GB_FN(detach__autograd));
}

const DetachOp& detach_op() {
  static const DetachOp op = find_operator<DetachOp>("aten::detach", "");
  return op;
}

const DetachOp_& detach__op() {
  static const DetachOp_ op = find_operator<DetachOp_>("aten::detach_", "");
  return op;
}

Tensor detach(const Tensor& self) { GB_RETURN_CALL(detach_op(), self); }
Tensor Tensor::detach() const { GB_RETURN_CALL(detach_op(), *this); }
Tensor& Tensor::detach_() const { GB_RETURN_CALL(detach__op(), const_cast<Tensor&>(*this)); }

}  // namespace gb
