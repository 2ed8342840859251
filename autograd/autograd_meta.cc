#include "autograd/autograd_meta.h"

#include <fmt/format.h>

#include <mutex>

#include "autograd/accumulate_grad.h"
#include "autograd/node.h"
#include "autograd/view.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

struct Factory final : gb::impl::AutogradMetaFactory {
  std::unique_ptr<AutogradMetaInterface> make() const override { return std::make_unique<AutogradMeta>(); }
};
Factory factory;
[[maybe_unused]] const bool registered = (gb::impl::SetAutogradMetaFactory(&factory), true);

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

const std::shared_ptr<Node>& grad_fn(const Tensor& t) {
  static const std::shared_ptr<Node> none;
  AutogradMeta* meta = get_autograd_meta(t);
  if (!meta) return none;
  if (meta->is_view_) refresh_grad_fn(t, static_cast<DifferentiableViewMeta&>(*meta));
  return meta->grad_fn_;
}

void set_gradient_edge(const Tensor& t, Edge edge) {
  AutogradMeta* meta = materialize_autograd_meta(t);
  meta->grad_fn_ = std::move(edge.function);
  meta->output_nr_ = edge.input_nr;
  if (!meta->is_view_) return;
  // Of this version, or the next question would put another node in its place.
  static_cast<DifferentiableViewMeta*>(meta)->set_attr_version(version_counter(t).current_version());
}

Edge gradient_edge(const Tensor& t) {
  AutogradMeta* meta = get_autograd_meta(t);
  if (!meta) return {};
  if (const std::shared_ptr<Node>& node = grad_fn(t)) return {node, meta->output_nr_};
  return {grad_accumulator(t), 0};
}

std::shared_ptr<Node> grad_accumulator(const Tensor& t) {
  AutogradMeta* meta = get_autograd_meta(t);
  if (!meta || !meta->requires_grad_ || meta->grad_fn_) return nullptr;
  const std::lock_guard<ByteLock> lock(meta->lock_);
  if (std::shared_ptr<Node> alive = meta->grad_accumulator_.lock()) return alive;
  auto made = std::allocate_shared<AccumulateGrad>(RecycledAllocator<AccumulateGrad>(), t);
  meta->grad_accumulator_ = made;
  return made;
}

std::shared_ptr<Node> try_get_grad_accumulator(const Tensor& t) {
  AutogradMeta* meta = get_autograd_meta(t);
  if (!meta) return nullptr;
  const std::lock_guard<ByteLock> lock(meta->lock_);
  return meta->grad_accumulator_.lock();
}

}  // namespace impl

}  // namespace gb::autograd
