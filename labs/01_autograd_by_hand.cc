// The values of lab 01: the loss of the LM head and its gradients, by the tape, by hand and by LibTorch.
//
//   01_autograd_by_hand_values               as JSON: differences, the tape, the steps of backward
//   01_autograd_by_hand_values --tape svg    the tape alone: text, dot, json or svg
//
// //labs:01-autograd-by-hand runs this and writes the report. The page is docs/en/lab/01-autograd-by-hand.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "autograd/autograd_meta.h"
#include "autograd/engine.h"
#include "dispatcher/json.h"
#include "labs/gradients_by_hand.h"
#include "labs/tape_form.h"
#include "ops/ops.h"

namespace gb::labs {
namespace {

struct Head {
  explicit Head(ScalarType dtype)
      : model(nn::grammar::make_lm_head(0, dtype)), example(nn::grammar::make_example("i eat", model)) {}
  autograd::LeafNames names() const { return {{example.x, "x"}, {model.weight, "W"}, {model.bias, "b"}}; }
  nn::grammar::LmHead model;
  nn::grammar::Example example;
};

// JSON has no NaN; the script takes null for a difference that is above every bound.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

struct Compared {
  const char* name;
  std::vector<double> HeadGradients::*values;
  int64_t columns;
};

std::string case_json(ScalarType dtype) {
  const Head head(dtype);
  const HeadProblem problem = problem_of(head.model, head.example);
  const HeadGradients tape = gradients_by_tape(head.model, head.example), hand = gradients_by_hand(problem);
  const auto torch = gradients_by_libtorch(problem);
  std::vector<std::string> rows;
  const auto compare = [&](const char* against, const HeadGradients& other) {
    for (const Compared& c : {Compared{"dz", &HeadGradients::dz, problem.classes},
                              {"dx", &HeadGradients::dx, problem.features},
                              {"dW", &HeadGradients::dW, problem.features},
                              {"db", &HeadGradients::db, problem.classes}}) {
      const Difference d = largest_difference(tape.*c.values, other.*c.values);
      const size_t columns = static_cast<size_t>(c.columns);
      rows.push_back(json::object({{"against", json::quoted(against)},
                                   {"gradient", json::quoted(c.name)},
                                   {"entries", std::to_string((tape.*c.values).size())},
                                   {"difference", number(d.max_abs)},
                                   {"relative", number(d.relative)},
                                   {"row", std::to_string(d.at / columns)},
                                   {"column", std::to_string(d.at % columns)},
                                   {"tape", number(d.value)},
                                   {"other", number(d.reference)}}));
    }
  };
  compare("by hand", hand);
  if (torch) compare("LibTorch", *torch);
  return json::object({{"dtype", json::quoted(problem.single_precision ? "float32" : "float64")},
                       {"bound", number(bounds_of(problem.single_precision).absolute)},
                       {"loss_tape", number(tape.loss)},
                       {"loss_by_hand", number(hand.loss)},
                       {"loss_libtorch", torch ? number(torch->loss) : "null"},
                       {"rows", json::array(rows)}});
}

// Runs backward a node at a time; the first line of each node's box in the order in which they ran.
std::vector<std::string> steps_of(const Tensor& loss, const autograd::TapeGraph& tape) {
  const std::vector<autograd::Node*> nodes = autograd::nodes_in_order(loss.grad_fn().get());
  autograd::Engine& engine = autograd::Engine::get_default_engine();
  engine.start({autograd::impl::gradient_edge(loss)}, {ones_like(loss)}, /*keep_graph=*/false,
               /*create_graph=*/false,
               /*accumulate_grad=*/true);
  std::vector<std::string> steps;
  while (const auto node = engine.step()) {
    const size_t i = static_cast<size_t>(std::find(nodes.begin(), nodes.end(), node.get()) - nodes.begin());
    steps.push_back(autograd::lines_of(tape.nodes.at(i))[0]);
  }
  engine.finish();
  return steps;
}

std::string everything() {
  const Head head(kFloat);
  const Tensor loss = recorded_loss(head.model, head.example).loss;
  const autograd::TapeGraph tape = autograd::read_tape(loss, head.names());
  std::vector<std::string> steps;
  for (const std::string& step : steps_of(loss, tape)) steps.push_back(json::quoted(step));
  return json::object({{"compiler", json::quoted(__VERSION__)},
                       {"libtorch", json::quoted(libtorch_version())},
                       {"tape", json::quoted(tape_in_form(tape, "text"))},
                       {"dot", json::quoted(tape_in_form(tape, "dot"))},
                       {"svg", json::quoted(tape_in_form(tape, "svg"))},
                       {"json", tape_in_form(tape, "json")},
                       {"steps", json::array(steps)},
                       {"cases", json::array({case_json(kFloat), case_json(kDouble)})}});
}

std::string tape_alone(const std::string& form) {
  const Head head(kFloat);
  return tape_in_form(autograd::read_tape(recorded_loss(head.model, head.example).loss, head.names()), form);
}

}  // namespace
}  // namespace gb::labs

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.empty()) {
      fmt::print("{}\n", gb::labs::everything());
    } else if (arguments.size() == 2 && arguments[0] == "--tape") {
      fmt::print("{}", gb::labs::tape_alone(arguments[1]));
    } else {
      fmt::print(stderr, "unknown flag {}; there is --tape FORM\n", arguments[0]);
      return 2;
    }
  } catch (const gb::Error& e) {
    fmt::print(stderr, "{}\n", e.what_without_backtrace());
    return 2;
  }
  return 0;
}
