#include "autograd/formula.h"

#include <fmt/format.h>

#include "autograd/autograd_meta.h"
#include "autograd/operators.h"
#include "core/error.h"

namespace gb::autograd {

void set_history(const Tensor& output, const std::shared_ptr<Node>& grad_fn, const char* op) {
  if (!output.defined() || !isFloatingType(output.scalar_type())) {
    grad_fn->add_input_metadata(InputMetadata());  // keeps the numbers of the outputs in step
    return;
  }
  const AutogradMeta* meta = impl::get_autograd_meta(output);
  GB_CHECK_OR_THROW(
      !meta || (!meta->grad_fn_ && !meta->requires_grad_), Error,
      .what = fmt::format("{}: the kernel returned a tensor that requires grad already", op ? op : grad_fn->name()),
      .cause = fmt::format("the result of sizes {} is {}; {} cannot be its producer too", to_string(output.sizes()),
                           meta->grad_fn_ ? "what " + meta->grad_fn_->name() + " made" : "a leaf that requires grad",
                           grad_fn->name()),
      .repair = "return a tensor of the kernel's own: clone() an argument or a parameter, and compute inside an "
                "AutoDispatchBelowAutograd guard",
      .chapter = chapters::kAutograd);
  impl::set_gradient_edge(output, Edge(grad_fn, grad_fn->add_input_metadata(output)));
}

void set_history(const std::vector<Tensor>& outputs, const std::shared_ptr<Node>& grad_fn) {
  for (const Tensor& output : outputs) set_history(output, grad_fn);
}

void check_inplace(const Tensor& self, const char* op, bool recorded) {
  if (!recorded || !GradMode::is_enabled()) return;
  const AutogradMeta* meta = impl::get_autograd_meta(self);
  if (!meta) return;
  GB_CHECK_OR_THROW(
      !meta->requires_grad_, Error,
      .what =
          fmt::format("{}: a leaf Variable that requires grad is being used in an in-place operation", op),
      .cause = fmt::format("the tensor of sizes {} is a leaf: its value before the write would be lost, "
                           "and with it what its gradient is of",
                           to_string(self.sizes())),
      .repair = "write inside a NoGradGuard (as an optimizer does), or use the out-of-place form",
      .chapter = chapters::kAutograd);
  if (!meta->is_view_) return;
  const Tensor& base = static_cast<const DifferentiableViewMeta*>(meta)->base_;
  const AutogradMeta* base_meta = impl::get_autograd_meta(base);
  GB_CHECK_OR_THROW(
      !base_meta || !base_meta->requires_grad_, Error,
      .what = fmt::format(
          "{}: a view of a leaf Variable that requires grad is being used in an in-place operation", op),
      .cause = fmt::format("the view of sizes {} shares memory with a leaf of sizes {}",
                           to_string(self.sizes()), to_string(base.sizes())),
      .repair = "write inside a NoGradGuard, or use the out-of-place form", .chapter = chapters::kAutograd);
  GB_THROW(NotImplementedError,
           .what = fmt::format("{}: an in-place operation on a view cannot be recorded yet", op),
           .cause = fmt::format(
               "the tensor of sizes {} is a view of a tensor of sizes {}, whose history would have to be "
               "rewritten (CopySlices)",
               to_string(self.sizes()), to_string(base.sizes())),
           .repair = "use the out-of-place form, write to a clone, or write inside a NoGradGuard",
           .chapter = chapters::kAutograd);
}

void rebase_history(const Tensor& self, std::shared_ptr<Node> grad_fn) {
  if (!grad_fn) return;
  AutogradMeta* meta = impl::materialize_autograd_meta(self);
  GB_INTERNAL_ASSERT(!meta->requires_grad_ && !meta->is_view_,
                     "rebase_history without check_inplace: " + grad_fn->name() + " would lose a gradient");
  const uint32_t nr = grad_fn->add_input_metadata(self);
  impl::set_gradient_edge(self, Edge(std::move(grad_fn), nr));
  ++meta->history_epoch_;  // the views made so far are stale now
}

namespace {

[[noreturn, gnu::cold]] void throw_stale_base(const Tensor& base) {
  GB_THROW(NotImplementedError,
           .what = "autograd: a view of a view whose base was modified by a recorded inplace operation",
           .cause = fmt::format("the view of sizes {} was made before the write", to_string(base.sizes())),
           .repair = "make the view again after the write", .chapter = chapters::kAutograd);
}

}  // namespace

void set_base(const Tensor& view, const Tensor& base, bool differentiable) {
  TensorImpl* impl = view.unsafeGetTensorImpl();
  impl->set_version_counter(base.unsafeGetTensorImpl()->version_counter());
  if (!differentiable || base.is_inference() || impl->autograd_meta()) return;
  const DifferentiableViewMeta* base_view = impl::get_view_autograd_meta(base);
  if (base_view && base_view->is_stale_view()) throw_stale_base(base);
  impl->set_autograd_meta(std::make_unique<DifferentiableViewMeta>(base_view ? base_view->base_ : base));
}

Tensor sum_to(const Tensor& grad, IntArrayRef sizes) {
  if (grad.sizes() == sizes) return grad;
  const int64_t extra = grad.dim() - static_cast<int64_t>(sizes.size());
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < grad.dim(); ++d) {
    if (d < extra || (sizes[d - extra] == 1 && grad.sizes()[d] != 1)) dims.push_back(d);
  }
  Tensor result = dims.empty() ? grad : ops::sum(grad, dims);
  return extra > 0 ? ops::view(result, sizes) : result;
}

bool InputMetadata::is_expandable_to_shape(const Tensor& grad) const {
  const IntArrayRef mine = sizes(), theirs = grad.sizes();
  if (mine.size() > theirs.size()) return false;
  for (size_t i = 1; i <= mine.size(); ++i) {
    const int64_t m = mine[mine.size() - i];
    if (m != 1 && m != theirs[theirs.size() - i]) return false;
  }
  return true;
}

Tensor InputMetadata::reduce_grad(const Tensor& grad) const { return sum_to(grad, sizes()); }

Tensor InputMetadata::zeros_like() const { return ops::zeros(sizes(), options()); }

}  // namespace gb::autograd
