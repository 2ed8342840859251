#include "autograd/function.h"

#include <fmt/format.h>

#include "autograd/view.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

bool is_among(const Tensor& t, const variable_list& list) {
  for (const Tensor& other : list)
    if (other.is_same(t)) return true;
  return false;
}

// The same data and version, without history.
Tensor alias_of(const Tensor& t) { return t.tensor_data(); }

bool has_own_history(const Tensor& t) {
  const AutogradMeta* meta = impl::get_autograd_meta(t);
  return meta && (meta->grad_fn_ || meta->requires_grad_);
}

}  // namespace

variable_list AutogradContext::get_saved_variables() const {
  const std::shared_ptr<Node> self = grad_fn_.lock();
  variable_list variables;
  variables.reserve(saved_.size());
  for (const SavedVariable& saved : saved_) variables.push_back(saved.unpack(self));
  return variables;
}

bool AutogradContext::needs_input_grad(size_t i) const {
  const std::shared_ptr<Node> self = grad_fn_.lock();
  return self && self->task_should_compute_output(i);
}

bool AutogradContext::needs_input_grad(std::initializer_list<IndexRange> ranges) const {
  const std::shared_ptr<Node> self = grad_fn_.lock();
  return self && self->task_should_compute_output(ranges);
}

void FunctionNode::begin(const std::shared_ptr<FunctionNode>& self, const variable_list& inputs) {
  ctx.grad_fn_ = self;
  recording_ = compute_requires_grad(TensorList(inputs));
  if (recording_) set_next_edges(collect_next_edges(TensorList(inputs)));
}

Tensor FunctionNode::with_history(const std::shared_ptr<FunctionNode>& self, const Tensor& output,
                                  bool is_input, bool seen) {
  const bool dirty = is_among(output, ctx.dirty_);
  const bool differentiable =
      recording_ && isFloatingType(output.scalar_type()) && !is_among(output, ctx.non_differentiable_);
  if (!differentiable) {
    if (recording_) add_input_metadata(InputMetadata());
    return output.requires_grad() ? alias_of(output) : output;
  }
  if (dirty && !seen) {
    rebase_history(output, self);
    return output;
  }
  Tensor result = output;
  if (is_input && !dirty) {
    result = as_view(output, alias_of(output));
  } else if (seen || has_own_history(output)) {  // returned twice, or computed with grad mode on
    result = alias_of(output);
  }
  // Of a view, written in place later, the regenerated history would leave out this node.
  if (auto* view = impl::get_view_autograd_meta(result)) view->set_creation_meta(CreationMeta::IN_CUSTOM_FUNCTION);
  impl::set_gradient_edge(result, Edge(self, add_input_metadata(result)));
  return result;
}

void FunctionNode::finish(const std::shared_ptr<FunctionNode>& self, const variable_list& inputs,
                          variable_list& outputs) {
  for (const Tensor& t : ctx.dirty_) {
    GB_CHECK_OR_THROW(
        is_among(t, outputs), Error,
        .what = fmt::format(
            "{}: Some elements marked as dirty during the forward method were not returned as output",
            name()),
        .cause = fmt::format("a tensor of sizes {} was given to mark_dirty", to_string(t.sizes())),
        .repair = "return every tensor that forward writes", .chapter = chapters::kAutograd);
    if (is_among(t, inputs)) check_inplace(t, name().c_str(), recording_);
    GB_CHECK_OR_THROW(
        !recording_ || outputs.size() == 1 || !t.is_view(), Error,
        .what = fmt::format("{}: If your Function modifies inplace an input that is a view of another Tensor, your "
                            "Function cannot return more than one Tensor",
                            name()),
        .cause = fmt::format("a view of sizes {} is dirty, and forward returned {} outputs", to_string(t.sizes()),
                             outputs.size()),
        .repair = "clone the view before the call, or return the other outputs from another Function",
        .chapter = chapters::kAutograd);
    increment_version(t, intern_writer(name()));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].defined()) {
      if (recording_) add_input_metadata(InputMetadata());
      continue;
    }
    const Tensor raw = outputs[i];
    // Outputs before i may have been replaced by an alias: two of one value share a storage place.
    bool seen = false;
    for (size_t j = 0; j < i; ++j) seen = seen || outputs[j].is_same(raw);
    outputs[i] = with_history(self, raw, is_among(raw, inputs), seen);
  }
  if (recording_) {
    for (const Tensor& t : ctx.to_save_) {
      const AutogradMeta* meta = impl::get_autograd_meta(t);
      ctx.saved_.emplace_back(t, /*is_output=*/meta && meta->grad_fn_.get() == this);
    }
  }
  ctx.to_save_.clear();
  ctx.dirty_.clear();
  ctx.non_differentiable_.clear();
}

variable_list FunctionNode::apply(variable_list&& grads) {
  if (ctx.materialize_grads_) {
    for (size_t i = 0; i < grads.size(); ++i) {
      if (!grads[i].defined() && input_metadata(i).is_defined()) grads[i] = input_metadata(i).zeros_like();
    }
  }
  variable_list returned;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    returned = run_backward(std::move(grads));
  }
  while (returned.size() > is_variable_.size() && !returned.back().defined()) returned.pop_back();
  GB_CHECK_OR_THROW(
      returned.size() == is_variable_.size(), Error,
      .what =
          fmt::format("backward: function {} returned an incorrect number of gradients (expected {}, got {})",
                      name(), is_variable_.size(), returned.size()),
      .cause = fmt::format("its forward took {} argument(s)", is_variable_.size()),
      .repair = "return one gradient per argument, undefined for those that are not tensors",
      .chapter = chapters::kAutograd);
  variable_list results;
  for (size_t i = 0; i < returned.size(); ++i) {
    GB_CHECK_OR_THROW(is_variable_[i] || !returned[i].defined(), Error,
                      .what = fmt::format(
                          "backward: function {} returned a gradient different than None at position {}, but "
                          "the corresponding forward input was not a Variable",
                          name(), i),
                      .cause = fmt::format("the gradient has sizes {}", to_string(returned[i].sizes())),
                      .repair = "return an undefined Tensor there", .chapter = chapters::kAutograd);
    if (is_variable_[i]) results.push_back(std::move(returned[i]));
  }
  return results;
}

void FunctionNode::release_variables() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (SavedVariable& saved : ctx.saved_) saved.reset_data();
}

std::vector<SavedField> FunctionNode::saved() const {
  std::vector<SavedField> fields;
  for (size_t i = 0; i < ctx.saved_.size(); ++i) fields.emplace_back(std::to_string(i), &ctx.saved_[i]);
  for (const auto& [key, value] : ctx.saved_data) fields.emplace_back(key, to_string(value));
  return fields;
}

}  // namespace gb::autograd
