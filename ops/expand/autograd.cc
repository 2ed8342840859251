// ExpandBackward0: an element that stood for many collects the gradients of all of them.
#include "ops/common/record.h"
#include "ops/expand/expand.h"

namespace gb::autograd {
namespace {

struct ExpandBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    return {sum_to(grads[0], self_sizes_)};
  }
  std::vector<SavedField> saved() const override {
    return {{"self_sizes", to_string(IntArrayRef(self_sizes_))}};
  }
  std::vector<int64_t> self_sizes_;
};

Tensor expand_autograd(DispatchKeySet ks, const Tensor& self, IntArrayRef size, bool implicit) {
  const auto grad_fn = make_node<ExpandBackward0>(self);
  if (grad_fn) grad_fn->self_sizes_ = self.sizes().vec();
  return record_view(grad_fn, [&] {
    return expand_op().redispatch(ks & after_autograd_keyset, self, size, implicit);
  });
}

Tensor expand_inplace_or_view(DispatchKeySet ks, const Tensor& self, IntArrayRef size, bool implicit) {
  AutoDispatchBelowADInplaceOrView guard;
  return as_view(self, expand_op().redispatch(ks & after_ADInplaceOrView_keyset, self, size, implicit));
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("expand", GB_FN(expand_autograd)); }
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("expand", GB_FN(expand_inplace_or_view)); }

}  // namespace gb::autograd
