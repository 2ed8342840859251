#include "labs/autocast_order.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <sstream>

#include "autograd/autograd_meta.h"
#include "autograd/saved_variable.h"
#include "glassbox.h"
#include "ops/autocast/autocast.h"

namespace gb::labs {
namespace {

// "call aten::t(...) | ... => AutogradCPU : ..." -> "call aten::t => AutogradCPU", indentation kept.
std::string short_trace(const std::string& tree) {
  std::istringstream lines(tree);
  std::string text, line;
  while (std::getline(lines, line)) {
    const size_t arrow = line.find("=> ");
    if (arrow == std::string::npos) continue;
    text += fmt::format("  {} {}\n", line.substr(0, line.find('(')),
                        line.substr(arrow, line.find(' ', arrow + 3) - arrow));
  }
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

struct Result {
  std::string trace, tape, saved, backward, backward_inside;
  ScalarType output;
  int cast_nodes = 0;
};

// `region` switches the casts on while what it returns is alive.
Result run(const std::function<std::shared_ptr<void>()>& region) {
  const Tensor x = ones({2, 3}, requires_grad(true)), w = ones({4, 3}, requires_grad(true));
  const Tensor b = zeros({4}, requires_grad(true));
  Result result;
  Tensor y;
  {
    const std::shared_ptr<void> on = region();
    const trace::Recorder recorder;
    y = linear(x, w, b);
    result.trace = short_trace(recorder.tree());
  }
  result.output = y.scalar_type();
  result.tape = autograd::format_tape(y, {{x, "x"}, {w, "W"}, {b, "b"}});
  for (const autograd::Node* node : autograd::nodes_in_order(y.grad_fn().get()))
    result.cast_nodes += node->name() == "ToCopyBackward0";
  for (const auto& field : y.grad_fn()->saved())
    if (field.variable)
      result.saved += fmt::format("{}{} {}", result.saved.empty() ? "" : ", ", field.name,
                                  toString(field.variable->peek().scalar_type()));
  const auto backward = [&] {
    try {
      const std::vector<Tensor> g = autograd::grad({y}, {x, w, b}, {ones_like(y)}, /*retain_graph=*/true);
      return fmt::format("dx {}, dW {}, db {}", toString(g[0].scalar_type()), toString(g[1].scalar_type()),
                         toString(g[2].scalar_type()));
    } catch (const Error& e) {
      return "error: " + first_line(e.what_without_backtrace());
    }
  };
  result.backward = backward();
  const std::shared_ptr<void> on = region();
  result.backward_inside = backward();
  return result;
}

}  // namespace

void CastBelowAutograd::dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const std::string& name = op.operator_name().name;
  if (name == "aten::mm" || name == "aten::addmm") {
    const size_t n = op.schema().arguments().size();
    for (size_t i = stack->size() - n; i < stack->size(); ++i)
      if (IValue& value = (*stack)[i]; value.isTensor()) value = value.toTensor().to(kBFloat16);
  }
  op.redispatchBoxed(ks, stack);
}

std::string show_autocast_order() {
  const Result above = run([] { return std::make_shared<autocast::AutocastGuard>(kCPU); });
  CastBelowAutograd mode;
  const Result below = run([&] { return std::make_shared<DispatchModeGuard>(&mode); });

  std::string text = "linear(x, W, b) with its product in bfloat16; x, W and b are float32 leaves\n";
  for (const auto& [name, r] :
       {std::pair{"above autograd (autocast)", above}, {"below autograd (a mode that casts)", below}})
    text += fmt::format("\n== cast {} ==\n\n{}\n{}", name, r.trace, r.tape);
  const auto row = [&](const char* what, const std::string& a, const std::string& b) {
    text += fmt::format("{:<24}{}\n{:<24}{}\n", what, "above: " + a, "", "below: " + b);
  };
  text += "\n== side by side ==\n\n";
  row("output", toString(above.output), toString(below.output));
  row("saved for backward", above.saved, below.saved);
  row("nodes for the casts", std::to_string(above.cast_nodes), std::to_string(below.cast_nodes));
  row("backward, as usual", above.backward, below.backward);
  row("backward, casts on", above.backward_inside, below.backward_inside);
  return text;
}

}  // namespace gb::labs
