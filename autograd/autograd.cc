#include "autograd/autograd.h"

#include <fmt/format.h>

#include <atomic>

#include "autograd/autograd_meta.h"
#include "autograd/engine.h"
#include "autograd/operators.h"
#include "autograd/validate_outputs.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "core/warning.h"

namespace gb::autograd {
namespace {

edge_list edges_of_outputs(const variable_list& outputs) {
  edge_list edges;
  edges.reserve(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    edges.push_back(impl::gradient_edge(outputs[i]));
    GB_CHECK_OR_THROW(
        edges.back().is_valid(), Error,
        .what = fmt::format(
            "backward: element {} of tensors does not require grad and does not have a grad_fn", i),
        .cause =
            outputs[i].defined()
                ? fmt::format("the tensor of sizes {} was not computed, with grad mode on, from a tensor "
                              "that requires grad",
                              to_string(outputs[i].sizes()))
                : std::string("the tensor is undefined"),
        .repair =
            "call requires_grad_() on the inputs before the forward, and run the forward outside of "
            "NoGradGuard",
        .chapter = chapters::kAutograd);
  }
  return edges;
}

variable_list make_grads(const variable_list& outputs, const variable_list& given) {
  GB_CHECK_OR_THROW(
      given.empty() || given.size() == outputs.size(), Error,
      .what = fmt::format("backward: got {} tensors and {} gradients", outputs.size(), given.size()),
      .cause = "there must be one gradient per tensor, or none at all",
      .repair = "give an undefined Tensor for a scalar whose gradient is 1", .chapter = chapters::kAutograd);
  variable_list grads = given;
  grads.resize(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (grads[i].defined() || !outputs[i].requires_grad()) continue;  // the latter is refused by edges_of_outputs
    GB_CHECK_OR_THROW(
        outputs[i].numel() == 1, Error,
        .what = "backward: grad can be implicitly created only for scalar outputs",
        .cause = fmt::format("output {} has sizes {}, {} elements", i, to_string(outputs[i].sizes()),
                             outputs[i].numel()),
        .repair = "give the gradient of the output, or reduce it to one element with sum() or mean()",
        .chapter = chapters::kAutograd);
  }
  const AutoGradMode no_history(false);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!grads[i].defined() && outputs[i].requires_grad()) grads[i] = ops::ones_like(outputs[i]);
  }
  return grads;
}

edge_list edges_of_inputs(const variable_list& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    GB_CHECK_OR_THROW(
        inputs[i].requires_grad(), Error,
        .what = "grad: One of the differentiated Tensors does not require grad",
        .cause = inputs[i].defined() ? fmt::format("input {} has sizes {}", i, to_string(inputs[i].sizes()))
                                     : fmt::format("input {} is undefined", i),
        .repair = "call requires_grad_() on it before the forward", .chapter = chapters::kAutograd);
  }
  edge_list edges;
  edges.reserve(inputs.size());
  for (const Tensor& input : inputs) edges.push_back(impl::gradient_edge(input));
  return edges;
}

void warn_of_reference_cycle() {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true)) return;
  GB_WARN(
      "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
      "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
      "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break "
      "the cycle and avoid the leak.");
}

}  // namespace

void backward(const variable_list& tensors, const variable_list& grad_tensors,
              std::optional<bool> retain_graph, bool create_graph, const variable_list& inputs) {
  if (create_graph) warn_of_reference_cycle();
  variable_list grads = make_grads(tensors, grad_tensors);
  const edge_list roots = edges_of_outputs(tensors);
  const edge_list targets = edges_of_inputs(inputs);
  if (!inputs.empty()) {
    // A computed input keeps its gradient, too. A call that is refused leaves nothing behind, so that comes last.
    validate_outputs(roots, grads, nullptr);
    for (const Tensor& input : inputs) input.retain_grad();
  }
  Engine::get_default_engine().execute(roots, grads, retain_graph.value_or(create_graph), create_graph,
                                       /*accumulate_grad=*/true, targets);
}

variable_list grad(const variable_list& outputs, const variable_list& inputs,
                   const variable_list& grad_outputs, std::optional<bool> retain_graph, bool create_graph,
                   bool allow_unused, bool is_grads_batched) {
  GB_CHECK_OR_THROW(!is_grads_batched, NotImplementedError,
                    .what = "grad: is_grads_batched=True needs vmap, which is not here",
                    .cause = "each of grad_outputs would hold several gradients, one behind the other",
                    .repair = "call grad once for each of them, with retain_graph", .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(!inputs.empty(), Error, .what = "grad: grad requires non-empty inputs",
                    .cause = "the list of inputs is empty",
                    .repair = "name the tensors to differentiate with respect to, or call backward",
                    .chapter = chapters::kAutograd);
  const variable_list grads = make_grads(outputs, grad_outputs);
  const edge_list roots = edges_of_outputs(outputs);
  const edge_list targets = edges_of_inputs(inputs);
  return Engine::get_default_engine().execute(roots, grads, retain_graph.value_or(create_graph), create_graph,
                                              /*accumulate_grad=*/false, targets, allow_unused);
}

}  // namespace gb::autograd
