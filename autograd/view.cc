#include "autograd/view.h"

#include <fmt/format.h>

#include <mutex>

#include "autograd/copy_slices.h"
#include "autograd/formula.h"
#include "autograd/operators.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

// Why this kind of view may not be written, and what to do instead.
struct Reason {
  const char *cause, *repair;
};
Reason reason(CreationMeta creation_meta) {
  switch (creation_meta) {
    case CreationMeta::MULTI_OUTPUT_NODE:
      return {"This view is the output of a function that returns multiple views. Such functions do not allow the "
              "output views to be modified inplace",
              "replace the inplace operation by an out-of-place one"};
    case CreationMeta::IN_CUSTOM_FUNCTION:
      return {"This view was created inside a custom Function (or because an input was returned as-is) and the autograd "
              "logic to handle view+inplace would override the custom backward associated with the custom Function, "
              "leading to incorrect gradients",
              "clone the output of the custom Function"};
    default:
      return {"Given that this use case is ambiguous and error-prone, it is forbidden: either the view or the write is "
              "recorded, and the other is not",
              "move both the view and the inplace inside the no_grad block (nothing is tracked), or both outside"};
  }
}

}  // namespace

void handle_view_on_rebase(const DifferentiableViewMeta& meta, bool indirect) {
  const CreationMeta creation_meta = meta.get_creation_meta();
  if (creation_meta == CreationMeta::DEFAULT) return;
  const char* modified = indirect ? "its base or another view of its base has been" : "is being";
  const Node* node = meta.grad_fn_.get();
  const bool inference = creation_meta == CreationMeta::INFERENCE_MODE;
  std::string what;
  if (inference || creation_meta == CreationMeta::NO_GRAD_MODE || !node) {
    what = fmt::format("{} {} mode and {} modified inplace {}",
                       node ? fmt::format("Output {} of {} is a view of a view which was created in", meta.output_nr_,
                                          node->name())
                            : std::string("A view was created in"),
                       inference ? "inference" : "no_grad", modified,
                       inference ? "in normal mode" : "with grad mode enabled");
  } else {
    what = fmt::format("Output {} of {} is a view and {} modified inplace", meta.output_nr_, node->name(), modified);
  }
  const Reason why = reason(creation_meta);
  GB_THROW(Error, .what = what, .cause = why.cause, .repair = why.repair, .chapter = chapters::kAutograd);
}

void set_base(const Tensor& view, const Tensor& base, bool differentiable, CreationMeta creation_meta) {
  TensorImpl* impl = view.unsafeGetTensorImpl();
  GB_CHECK_OR_THROW(impl != base.unsafeGetTensorImpl(), Error,
                    .what = "as_view: View operation returned a tensor that is the same as the input base tensor",
                    .cause = fmt::format("the kernel returned its argument of sizes {}", to_string(base.sizes())),
                    .repair = "return a tensor of its own over the same storage, as detach() makes one",
                    .chapter = chapters::kAutograd);
  impl->set_version_counter(base.unsafeGetTensorImpl()->version_counter());
  if (!differentiable || base.is_inference() || impl->autograd_meta()) return;
  const DifferentiableViewMeta* of = impl::get_view_autograd_meta(base);
  if (of) creation_meta = propagate_creation_meta(of->get_creation_meta(), creation_meta);
  impl->set_autograd_meta(std::make_unique<DifferentiableViewMeta>(
      *impl, of ? of->get_backward_view().base_ : base, creation_meta));
}

namespace impl {

DifferentiableViewMeta* get_view_autograd_meta(const Tensor& t) {
  AutogradMeta* meta = get_autograd_meta(t);
  return meta && meta->is_view_ ? static_cast<DifferentiableViewMeta*>(meta) : nullptr;
}

void bump_version(const Tensor& t) { t.unsafeGetTensorImpl()->bump_version(); }

const VariableVersion& version_counter(const Tensor& t) { return t.unsafeGetTensorImpl()->version_counter(); }

void set_version_counter(const Tensor& t, const VariableVersion& version) {
  t.unsafeGetTensorImpl()->set_version_counter(version);
}

void refresh_grad_fn(const Tensor& view, DifferentiableViewMeta& meta) {
  const std::lock_guard<ByteLock> lock(meta.lock_);
  const Tensor& base = meta.get_backward_view().base_;
  if (!meta.grad_fn_ && !base.requires_grad()) return;
  const uint32_t version = version_counter(view).current_version();
  if (version == meta.get_attr_version()) return;
  handle_view_on_rebase(meta, /*indirect=*/true);
  std::shared_ptr<Node> made;
  {
    // Nobody sees this call: not the modes of this thread, not the tensor it makes.
    const AutoGradMode recording(true);
    const gb::impl::ForceDispatchKeyGuard keys(gb::impl::LocalDispatchKeySet{});
    // Only the node is wanted, so the call is on a tensor without memory: after set_() the view may lie outside of the
    // base's, and the write is done already.
    const Tensor source = base.variable_data().requires_grad_();
    source.unsafeGetTensorImpl()->set_storage_keep_dtype({});
    made = get_autograd_meta(ops::as_strided(source, view.sizes(), view.strides(), view.storage_offset()))->grad_fn_;
    // A base without gradient (the view itself was made to require one) gets a node too, which leads nowhere.
    made->set_next_edges({gradient_edge(base)});
  }
  const uint32_t old_nr = std::exchange(meta.output_nr_, 0);
  std::shared_ptr<Node> old = std::exchange(meta.grad_fn_, std::move(made));
  meta.set_attr_version(version);
  move_hooks_to_new_grad_fn(meta, old.get(), old_nr);
  release_node(std::move(old));
}

void rebase_history(const Tensor& self, Edge edge) {
  DifferentiableViewMeta* view = get_view_autograd_meta(self);
  if (view) {
    GB_INTERNAL_ASSERT(view->get_creation_meta() == CreationMeta::DEFAULT, "rebase_history without check_inplace");
    GB_CHECK_OR_THROW(edge.function->num_inputs() == 1, Error,
                      .what = fmt::format("{}: Functions which modify views in-place must return a single Variable",
                                          edge.function->name()),
                      .cause = fmt::format("it has {} outputs", edge.function->num_inputs()),
                      .repair = "write to a clone, or make each output in a call of its own",
                      .chapter = chapters::kAutograd);
    const Tensor& base = view->get_backward_view().base_;
    edge = Edge(std::make_shared<CopySlices>(base, Geometry(self), std::move(edge.function)), 0);
  }
  exchange_gradient_edge(view ? view->get_backward_view().base_ : self, std::move(edge));
  if (view) refresh_grad_fn(self, *view);
}

void exchange_gradient_edge(const Tensor& self, Edge edge) {
  AutogradMeta* meta = materialize_autograd_meta(self);
  const std::shared_ptr<Node> old = meta->hooks_ ? meta->grad_fn_ : nullptr;
  const uint32_t old_nr = meta->output_nr_;
  set_gradient_edge(self, std::move(edge));
  move_hooks_to_new_grad_fn(*meta, old.get(), old_nr);
}

}  // namespace impl
}  // namespace gb::autograd
