// ExpandBackward0: an element that stood for many collects the gradients of all of them.
#include "ops/common/derivative.h"
#include "ops/expand/expand.h"

namespace gb::autograd {
namespace {

struct ExpandBackward0 final : SavesSizes<ExpandBackward0> {
  Tensor d_self(const Tensor& grad) { return sum_to(grad, self_sizes_); }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("expand", recorded_view<ExpandBackward0, &expand_op>); }
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("expand", makes_view<&expand_op>); }

}  // namespace gb::autograd
