// The autograd methods of Tensor, declared in core/tensor.h.
#include <fmt/format.h>

#include <mutex>

#include "autograd/autograd.h"
#include "autograd/autograd_meta.h"
#include "autograd/node.h"
#include "autograd/view.h"
#include "core/error.h"
#include "core/tensor.h"
#include "core/warning.h"

namespace gb {
namespace {

using autograd::AutogradMeta;
namespace meta_of = autograd::impl;

}  // namespace

bool Tensor::requires_grad() const { return impl_->requires_grad(); }

const Tensor& Tensor::set_requires_grad(bool requires_grad) const {
  GB_CHECK_OR_THROW(defined(), Error, .what = "requires_grad_: the tensor is undefined",
                    .cause = "it was never given a value", .repair = "make a tensor first",
                    .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(is_leaf() || requires_grad, Error,
                    .what = "requires_grad_: you can only change requires_grad flags of leaf variables",
                    .cause = fmt::format("the tensor of sizes {} was computed by {}", to_string(sizes()),
                                         meta_of::get_autograd_meta(*this)->grad_fn_->name()),
                    .repair = "use detach() for a tensor that does not require grad",
                    .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(
      !requires_grad || !is_inference() || gb::detail::autograd_tls.inference_mode, Error,
      .what =
          "requires_grad_: Setting requires_grad=True on inference tensor outside InferenceMode is not "
          "allowed",
      .cause = fmt::format("the tensor of sizes {} was made in inference mode", to_string(sizes())),
      .repair = "clone it outside of inference mode", .chapter = chapters::kAutograd);
  if (is_leaf()) impl_->set_requires_grad(requires_grad);  // a computed tensor requires grad already
  return *this;
}

Tensor& Tensor::requires_grad_(bool requires_grad) const {
  return const_cast<Tensor&>(set_requires_grad(requires_grad));
}

bool Tensor::is_leaf() const {
  const AutogradMeta* meta = meta_of::get_autograd_meta(*this);
  return !meta || !meta->grad_fn_;
}

const Tensor& Tensor::grad() const {
  if (!is_leaf() && !impl_->grad().defined() && !retains_grad()) {
    GB_WARN(
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute "
        "won't be "
        "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
        "Tensor, use .retain_grad() on the non-leaf Tensor.");
  }
  return impl_->grad();
}

const std::shared_ptr<autograd::Node>& Tensor::grad_fn() const { return meta_of::grad_fn(*this); }

int64_t Tensor::output_nr() const {
  const AutogradMeta* meta = meta_of::get_autograd_meta(*this);
  return meta ? meta->output_nr_ : 0;
}

bool Tensor::is_view() const { return meta_of::get_view_autograd_meta(*this) != nullptr; }

const Tensor& Tensor::_base() const {
  const autograd::DifferentiableViewMeta* meta = meta_of::get_view_autograd_meta(*this);
  GB_CHECK_OR_THROW(meta, Error, .what = "_base: Can't get base of non-view Tensor",
                    .cause = fmt::format("the tensor of sizes {} owns its memory", to_string(sizes())),
                    .repair = "ask is_view() first", .chapter = chapters::kAutograd);
  return meta->get_backward_view().base_;
}

Tensor Tensor::tensor_data() const {
  if (!defined()) return {};
  return Tensor(impl_->shallow_copy_and_detach(impl_->version_counter()));
}

Tensor Tensor::variable_data() const {
  if (!defined()) return {};
  return Tensor(impl_->shallow_copy_and_detach(is_inference() ? VariableVersion() : VariableVersion(0)));
}

// May one take the other's data? Of the same keys, but autograd's; or from the CPU to a GPU and back, which is how
// Module::to moves a parameter under its handles.
static bool has_compatible_data(const Tensor& a, const Tensor& b) {
  const auto moves = [](const Tensor& t) { return t.is_cpu() || t.is_cuda(); };
  return (moves(a) && moves(b) && a.is_inference() == b.is_inference()) ||
         a.key_set() - autograd_dispatch_keyset == b.key_set() - autograd_dispatch_keyset;
}

void Tensor::set_data(const Tensor& new_data) const {
  GB_CHECK_OR_THROW(
      defined() && new_data.defined() && has_compatible_data(*this, new_data), TypeError,
      .what = "set_data: Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible "
              "tensor type",
      .cause = fmt::format("the keys of one are {}, those of the other {}", gb::toString(key_set()),
                           gb::toString(new_data.key_set())),
      .repair = "bring the new data to the tensor's device first", .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(
      !requires_grad() || isFloatingType(new_data.scalar_type()), TypeError,
      .what = "set_data: data set to a tensor that requires gradients must be floating point or complex dtype",
      .cause = fmt::format("the new data is of dtype {}", gb::toString(new_data.scalar_type())),
      .repair = "convert it first", .chapter = chapters::kAutograd);
  AutogradMeta* meta = meta_of::get_autograd_meta(*this);
  if (meta && (new_data.dtype() != dtype() || new_data.device() != device() || new_data.sizes() != sizes())) {
    // The accumulator expects gradients like the old data: a graph that still leads to it goes on without us.
    const std::lock_guard<ByteLock> lock(meta->lock_);
    meta->grad_accumulator_.reset();
  }
  impl_->shallow_copy_from(*new_data.unsafeGetTensorImpl());
}

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph, bool create_graph,
                      std::optional<TensorList> inputs) const {
  GB_CHECK_OR_THROW(!inputs || !inputs->empty(), Error,
                    .what = "backward: 'inputs' argument to backward cannot be empty",
                    .cause = "the list of inputs is empty", .repair = "leave inputs out to reach all leaves",
                    .chapter = chapters::kAutograd);
  autograd::backward({*this}, {gradient}, retain_graph, create_graph,
                     inputs ? inputs->vec() : autograd::variable_list());
}

}  // namespace gb
