#include "autograd/formula.h"

#include <fmt/format.h>

#include "autograd/autograd_meta.h"
#include "autograd/operators.h"
#include "core/error.h"

namespace gb::autograd {

Edge gradient_edge(const Tensor& self) { return impl::gradient_edge(self); }

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
  GB_CHECK_OR_THROW(
      !self.defined() || !self.is_inference() || gb::detail::autograd_tls.inference_mode, Error,
      .what = fmt::format("{}: Inplace update to inference tensor outside InferenceMode is not allowed", op),
      .cause = fmt::format("the tensor of sizes {} was made in inference mode", to_string(self.sizes())),
      .repair = "clone it outside of inference mode, and write to the clone", .chapter = chapters::kAutograd);
  if (!recorded || !GradMode::is_enabled()) return;
  const bool requires_grad = self.requires_grad();
  if (const auto* view = impl::get_view_autograd_meta(self)) {
    handle_view_on_rebase(*view);
    const Tensor& base = view->get_backward_view().base_;
    GB_CHECK_OR_THROW(
        !requires_grad || !base.is_leaf(), Error,
        .what = fmt::format(
            "{}: a view of a leaf Variable that requires grad is being used in an in-place operation", op),
        .cause = fmt::format("the view of sizes {} shares memory with a leaf of sizes {}",
                             to_string(self.sizes()), to_string(base.sizes())),
        .repair = "write inside a NoGradGuard, or use the out-of-place form", .chapter = chapters::kAutograd);
  }
  GB_CHECK_OR_THROW(
      !requires_grad || !self.is_leaf(), Error,
      .what =
          fmt::format("{}: a leaf Variable that requires grad is being used in an in-place operation", op),
      .cause = fmt::format("the tensor of sizes {} is a leaf: its value before the write would be lost, "
                           "and with it what its gradient is of",
                           to_string(self.sizes())),
      .repair = "write inside a NoGradGuard (as an optimizer does), or use the out-of-place form",
      .chapter = chapters::kAutograd);
}

void rebase_history(const Tensor& self, std::shared_ptr<Node> grad_fn) {
  if (!grad_fn) return;
  const uint32_t nr = grad_fn->add_input_metadata(self);
  impl::rebase_history(self, Edge(std::move(grad_fn), nr));
}

void set_history_inplace(const Tensor& self, std::shared_ptr<Node> grad_fn) {
  const uint32_t nr = grad_fn->add_input_metadata(self);
  impl::exchange_gradient_edge(self, Edge(std::move(grad_fn), nr));
}

Tensor sum_to(const Tensor& grad, IntArrayRef sizes) {
  if (grad.sizes() == sizes) return grad;
  if (sizes.empty()) return ops::sum(grad);
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
