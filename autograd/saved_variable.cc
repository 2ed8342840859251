#include "autograd/saved_variable.h"

#include <fmt/format.h>

#include "autograd/autograd_meta.h"
#include "autograd/node.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

std::string name_of(const Node* saved_for) {
  const Node* node = saved_for ? saved_for : current_node();
  return node ? node->name() : "a node";
}

}  // namespace

SavedVariable::SavedVariable(const Tensor& variable, bool is_output) : is_output_(is_output) {
  if (!variable.defined()) return;
  GB_CHECK_OR_THROW(
      !variable.is_inference(), Error, .what = "Inference tensors cannot be saved for backward",
      .cause = fmt::format("a tensor of sizes {} was made in inference mode", to_string(variable.sizes())),
      .repair = "clone it outside of inference mode and use the clone", .chapter = chapters::kAutograd);
  TensorImpl* impl = variable.unsafeGetTensorImpl();
  if (is_output) {
    const AutogradMeta* meta = impl::get_autograd_meta(variable);
    output_nr_ = meta ? meta->output_nr_ : 0;
    data_ = Tensor(impl->shallow_copy_and_detach(impl->version_counter()));
  } else {
    data_ = variable;
  }
  saved_version_ = impl->version_counter().current_version();
  state_ = State::kSaved;
}

void SavedVariable::reset_data() {
  if (state_ != State::kSaved) return;
  data_.reset();
  state_ = State::kReleased;
}

Tensor SavedVariable::unpack(const std::shared_ptr<Node>& saved_for) const {
  if (state_ != State::kSaved) {
    if (state_ == State::kReleased) throw_released(saved_for.get());
    return {};
  }
  if (data_._version() != saved_version_) throw_modified(saved_for.get());
  if (!is_output_) return data_;
  GB_INTERNAL_ASSERT(saved_for, "unpack() of a saved output needs the node that saved it");
  TensorImpl* impl = data_.unsafeGetTensorImpl();
  Tensor output(impl->shallow_copy_and_detach(impl->version_counter()));
  impl::set_gradient_edge(output, Edge(saved_for, output_nr_));
  return output;
}

void SavedVariable::throw_released(const Node* saved_for) const {
  GB_THROW(Error, .what = "backward: Trying to backward through the graph a second time",
           .cause = fmt::format("the tensors that {} saved were released by the first backward",
                                name_of(saved_for)),
           .repair = "give retain_graph=true to the first backward, or run the forward again",
           .chapter = chapters::kAutograd);
}

void SavedVariable::throw_modified(const Node* saved_for) const {
  GB_THROW(Error,
           .what =
               "backward: one of the variables needed for gradient computation has been modified by an "
               "inplace operation",
           .cause = fmt::format(
               "{} saved {} tensor of type {} and sizes {}; it is at version {}; expected version {} instead",
               name_of(saved_for), is_output_ ? "its output, a" : "a", data_.toString(),
               to_string(data_.sizes()), data_._version(), saved_version_),
           .repair = "write to a clone, or use the out-of-place form of the operator that wrote",
           .chapter = chapters::kAutograd);
}

}  // namespace gb::autograd
