#include "autograd/basic_nodes.h"

#include <fmt/format.h>

#include "autograd/formula.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

struct UndefinedGradBackward final : Node {
  using Node::Node;
  variable_list apply(variable_list&& grads) override { return variable_list(grads.size()); }
  std::string name() const override { return "UndefinedGradBackward"; }
};

}  // namespace

variable_list Error::apply(variable_list&&) {
  GB_THROW(Error, .what = message, .cause = "backward reached a node that has no gradient",
           .repair = "detach() the tensor before it is used", .chapter = chapters::kAutograd);
}

variable_list DelayedError::apply(variable_list&& inputs) {
  GB_INTERNAL_ASSERT(static_cast<int64_t>(inputs.size()) == num_inputs, "DelayedError: another number of inputs");
  const auto error = std::make_shared<Error>(message, collect_next_edges(TensorList(inputs)));
  variable_list outputs;
  for (const Tensor& input : inputs) {
    outputs.push_back(input.variable_data());
    set_history(outputs.back(), error);
  }
  return outputs;
}

variable_list NotImplemented::apply(variable_list&&) {
  GB_THROW(
      NotImplementedError, .what = fmt::format("backward: derivative for {} is not implemented", op),
      .cause = fmt::format("{} was called on a tensor that requires grad, and has no kernel at Autograd", op),
      .repair =
          "register a formula at the key Autograd (custom_op: register_autograd), or detach() its inputs",
      .chapter = chapters::kAutograd);
}

variable_list UndefinedGrad::apply(variable_list&& inputs) {
  auto grad_fn = std::make_shared<UndefinedGradBackward>(collect_next_edges(TensorList(inputs)));
  variable_list outputs;
  for (const Tensor& input : inputs) {
    outputs.push_back(input.variable_data());
    set_history(outputs.back(), grad_fn);
  }
  return outputs;
}

}  // namespace gb::autograd
