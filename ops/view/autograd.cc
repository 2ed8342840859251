// ViewBackward0, UnsafeViewBackward0, ReshapeAliasBackward0: the gradient in the sizes of the input. The
// gradient's own strides are not known here, so it is reshaped, not viewed.
#include "ops/common/derivative.h"
#include "ops/view/view.h"

namespace gb::autograd {
namespace {

struct ViewBackward0 final : SavesSizes<ViewBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.reshape(self_sizes_); }
};
struct UnsafeViewBackward0 final : SavesSizes<UnsafeViewBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.reshape(self_sizes_); }
};
struct ReshapeAliasBackward0 final : SavesSizes<ReshapeAliasBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.reshape(self_sizes_); }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("view", recorded_view<ViewBackward0, &view_op>);
  m.impl("_unsafe_view", recorded<UnsafeViewBackward0, &_unsafe_view_op>);
  m.impl("_reshape_alias", recorded_view<ReshapeAliasBackward0, &_reshape_alias_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("view", makes_view<&view_op>);
  m.impl("_reshape_alias", makes_view<&_reshape_alias_op>);
}

}  // namespace gb::autograd
