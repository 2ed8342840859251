#include "autograd/run_node.h"

#include <fmt/format.h>

#include "autograd/engine_threads.h"
#include "autograd/operators.h"
#include "autograd/validate_outputs.h"
#include "core/autograd_state.h"
#include "core/error.h"

namespace gb::autograd {
namespace {

void check_count(size_t before, size_t after, const Node& node, const char* kind) {
  GB_CHECK_OR_THROW(before == after, Error,
                    .what = fmt::format("backward: a {} hook of {} returned {} gradients, and was given {}", kind,
                                        node.name(), after, before),
                    .cause = "a hook may exchange gradients, but not add or drop one",
                    .repair = "return a list of the same length, with undefined Tensors in it if need be",
                    .chapter = chapters::kAutograd);
}

void run_tensor_hooks(const Node& node, variable_list& inputs) {
  if (!node.may_have_hooks()) return;
  for (const auto& hook : node.tensor_pre_hooks()) inputs = (*hook)(inputs);
  for (const auto& [output, hook] : node.retains_grad_hooks()) inputs = (*hook)(inputs);
}

// A leaf's node, and others with nothing after them, may return nothing.
void validate(const Node& node, variable_list& grads) {
  if (node.next_edges().empty() && grads.empty()) return;
  validate_outputs(node.next_edges(), grads, &node);
}

// 2 to 7, for a node that may have hooks.
[[gnu::noinline]] variable_list run_with_hooks(Node& node, variable_list&& inputs) {
  run_tensor_hooks(node, inputs);
  for (const auto& hook : node.pre_hooks()) {
    const size_t count = inputs.size();
    inputs = (*hook)(inputs);
    check_count(count, inputs.size(), node, "pre");
  }
  if (node.post_hooks().empty()) {
    variable_list grads = node(std::move(inputs));
    validate(node, grads);
    return grads;
  }
  variable_list grads = node(variable_list(inputs));
  validate(node, grads);
  for (const auto& hook : node.post_hooks()) {
    const size_t count = grads.size();
    grads = (*hook)(grads, inputs);
    check_count(count, grads.size(), node, "post");
  }
  return grads;
}

[[gnu::noinline]] void check_for_nan(const Node& node, const variable_list& grads) {
  const AutoGradMode no_grad(false);
  for (size_t i = 0; i < grads.size(); ++i) {
    GB_CHECK_OR_THROW(!grads[i].defined() || grads[i].is_meta() || !ops::has_nan(grads[i]), Error,
                      .what = fmt::format("Function '{}' returned nan values in its {}th output", node.name(), i),
                      .cause = "anomaly mode looks for NaN in every gradient: this is the first node that made one",
                      .repair = "look at the forward call in the warning above: a division by zero, a logarithm or a "
                                "root of zero or less?",
                      .chapter = chapters::kAutograd);
  }
}

}  // namespace

[[gnu::cold]] void note_failure(Node& node) {
  try {
    throw;
  } catch (const EarlyStop&) {
    return;
  } catch (gb::Error& error) {
    error.add_context("while backward ran " + node.name());
  } catch (...) {  // another kind of exception has no room for it
  }
  if (AnomalyMode::is_enabled()) node.metadata()->print_stack(node.name());
}

[[gnu::noinline]] void run_node(GraphTask& task, uint32_t state_nr, ReadyQueue* queue) {
  NodeState& state = task.states[state_nr];
  Node& node = *state.node;
  variable_list inputs = std::move(state.inputs);
  if (state.captured) {
    if (!state.wanted) run_tensor_hooks(node, inputs);
    for (const Capture& capture : task.captures) {
      if (capture.state == state_nr) task.answers[capture.answer] = inputs[capture.input_nr];
    }
  }
  if (!state.wanted) return;

  variable_list grads;
  if (node.may_have_hooks()) {
    grads = run_with_hooks(node, std::move(inputs));
  } else {
    grads = node(std::move(inputs));
    validate(node, grads);
  }
  if (!task.keep_graph) node.release_variables();
  if (AnomalyMode::is_enabled() && AnomalyMode::should_check_nan()) [[unlikely]]
    check_for_nan(node, grads);

  const edge_list& edges = node.next_edges();
  if (task.has_streams) [[unlikely]]
    return hand_on(task, edges, grads, queue);
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!edges[i].is_valid()) continue;
    const uint32_t ready = task.deliver(edges[i], std::move(grads[i]));
    if (ready != NodeMap::kNone) queue->push(task, ready);
  }
}

}  // namespace gb::autograd
