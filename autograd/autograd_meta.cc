#include "autograd/autograd_meta.h"

#include <fmt/format.h>

#include "autograd/accumulate_grad.h"
#include "autograd/formula.h"
#include "autograd/node.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

struct Factory final : gb::impl::AutogradMetaFactory {
  std::unique_ptr<AutogradMetaInterface> make() const override { return std::make_unique<AutogradMeta>(); }
};
Factory factory;
[[maybe_unused]] const bool registered = (gb::impl::SetAutogradMetaFactory(&factory), true);

uint32_t epoch_of(const Tensor& base) {
  const AutogradMeta* meta = impl::get_autograd_meta(base);
  return meta ? meta->history_epoch_ : 0;
}

}  // namespace

void AutogradMeta::release_grad_fn() noexcept { release_node(std::move(grad_fn_)); }

void AutogradMeta::set_requires_grad(bool requires_grad, TensorImpl* self) {
  GB_CHECK_OR_THROW(!requires_grad || isFloatingType(self->dtype().toScalarType()), Error,
                    .what = "requires_grad: only Tensors of floating point dtype can require gradients",
                    .cause = fmt::format("the tensor is of dtype {} and sizes {}",
                                         toString(self->dtype().toScalarType()), to_string(self->sizes())),
                    .repair = "convert it to a floating dtype first, or leave requires_grad off",
                    .chapter = chapters::kAutograd);
  requires_grad_ = requires_grad;
}

bool AutogradMeta::is_stale_view() const {
  if (!is_view_) return false;
  const auto& view = static_cast<const DifferentiableViewMeta&>(*this);
  return view.base_epoch_ != epoch_of(view.base_);
}

bool AutogradMeta::base_requires_grad_now() const {
  return is_stale_view() && static_cast<const DifferentiableViewMeta&>(*this).base_.requires_grad();
}

DifferentiableViewMeta::DifferentiableViewMeta(const Tensor& base)
    : base_(base), base_epoch_(epoch_of(base)) {
  is_view_ = true;
}

namespace impl {

AutogradMeta* get_autograd_meta(const Tensor& t) {
  return static_cast<AutogradMeta*>(t.unsafeGetTensorImpl()->autograd_meta());
}

AutogradMeta* materialize_autograd_meta(const Tensor& t) {
  GB_INTERNAL_ASSERT(t.defined(), "an undefined tensor has no place on the tape");
  TensorImpl* self = t.unsafeGetTensorImpl();
  if (!self->autograd_meta()) self->set_autograd_meta(std::make_unique<AutogradMeta>());
  return static_cast<AutogradMeta*>(self->autograd_meta());
}

DifferentiableViewMeta* get_view_autograd_meta(const Tensor& t) {
  AutogradMeta* meta = get_autograd_meta(t);
  return meta && meta->is_view_ ? static_cast<DifferentiableViewMeta*>(meta) : nullptr;
}

void set_gradient_edge(const Tensor& t, Edge edge) {
  AutogradMeta* meta = materialize_autograd_meta(t);
  meta->grad_fn_ = std::move(edge.function);
  meta->output_nr_ = edge.input_nr;
}

Edge gradient_edge(const Tensor& t) {
  AutogradMeta* meta = get_autograd_meta(t);
  if (!meta) return {};
  GB_CHECK_OR_THROW(
      !meta->is_stale_view(), NotImplementedError,
      .what =
          "autograd: this view's base was modified by an inplace operation that was recorded, after the view "
          "was made",
      .cause = fmt::format("the view has sizes {}; its grad_fn still describes the value before the write",
                           to_string(t.sizes())),
      .repair = "make the view again after the write, or write out of place", .chapter = chapters::kAutograd);
  if (meta->grad_fn_) return {meta->grad_fn_, meta->output_nr_};
  if (meta->requires_grad_) return {grad_accumulator(t), 0};
  return {};
}

std::shared_ptr<Node> grad_accumulator(const Tensor& t) {
  AutogradMeta* meta = get_autograd_meta(t);
  if (!meta || !meta->requires_grad_ || meta->grad_fn_) return nullptr;
  const std::lock_guard<std::mutex> lock(meta->mutex_);
  if (std::shared_ptr<Node> alive = meta->grad_accumulator_.lock()) return alive;
  auto made = std::make_shared<AccumulateGrad>(t);
  meta->grad_accumulator_ = made;
  return made;
}

std::shared_ptr<Node> try_get_grad_accumulator(const Tensor& t) {
  AutogradMeta* meta = get_autograd_meta(t);
  if (!meta) return nullptr;
  const std::lock_guard<std::mutex> lock(meta->mutex_);
  return meta->grad_accumulator_.lock();
}

}  // namespace impl

Edge gradient_edge(const Tensor& self) { return impl::gradient_edge(self); }

}  // namespace gb::autograd
