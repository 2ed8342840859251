// ViewBackward0, UnsafeViewBackward0, ReshapeAliasBackward0: the gradient in the sizes of the input. The
// gradient's own strides are not known here, so it is reshaped, not viewed.
#include "ops/common/record.h"
#include "ops/view/view.h"

namespace gb::autograd {
namespace {

struct ViewBackward0 : Node {
  variable_list apply(variable_list&& grads) override {
    const Tensor& grad = grads[0];
    if (!grad.defined() || !task_should_compute_output(0)) return {Tensor()};
    return {grad.reshape(self_sizes_)};
  }
  std::vector<SavedField> saved() const override {
    return {{"self_sizes", to_string(IntArrayRef(self_sizes_))}};
  }
  std::vector<int64_t> self_sizes_;
};
struct UnsafeViewBackward0 final : ViewBackward0 {};
struct ReshapeAliasBackward0 final : ViewBackward0 {};

template <class Backward>
[[gnu::always_inline, gnu::artificial]] inline std::shared_ptr<Backward> make_view_node(const Tensor& self) {
  auto grad_fn = make_node<Backward>(self);
  if (grad_fn) grad_fn->self_sizes_ = self.sizes().vec();
  return grad_fn;
}

Tensor view_autograd(DispatchKeySet ks, const Tensor& self, IntArrayRef size) {
  return record_view(make_view_node<ViewBackward0>(self),
                     [&] { return view_op().redispatch(ks & after_autograd_keyset, self, size); });
}

Tensor view_inplace_or_view(DispatchKeySet ks, const Tensor& self, IntArrayRef size) {
  Tensor view = run_under<AutoDispatchBelowADInplaceOrView>(
      [&] { return view_op().redispatch(ks & after_ADInplaceOrView_keyset, self, size); });
  set_base(view, self);
  return view;
}

Tensor reshape_alias_autograd(DispatchKeySet ks, const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  return record_view(make_view_node<ReshapeAliasBackward0>(self), [&] {
    return _reshape_alias_op().redispatch(ks & after_autograd_keyset, self, size, stride);
  });
}

Tensor reshape_alias_inplace_or_view(DispatchKeySet ks, const Tensor& self, IntArrayRef size,
                                     IntArrayRef stride) {
  AutoDispatchBelowADInplaceOrView guard;
  return as_view(self, _reshape_alias_op().redispatch(ks & after_ADInplaceOrView_keyset, self, size, stride));
}

Tensor unsafe_view_autograd(DispatchKeySet ks, const Tensor& self, IntArrayRef size) {
  return record(make_view_node<UnsafeViewBackward0>(self),
                [&] { return _unsafe_view_op().redispatch(ks & after_autograd_keyset, self, size); });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("view", GB_FN(view_autograd));
  m.impl("_unsafe_view", GB_FN(unsafe_view_autograd));
  m.impl("_reshape_alias", GB_FN(reshape_alias_autograd));
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("view", GB_FN(view_inplace_or_view));
  m.impl("_reshape_alias", GB_FN(reshape_alias_inplace_or_view));
}

}  // namespace gb::autograd
