#include "compile/compiled_backward.h"

#include <fmt/format.h>

#include "autograd/autograd.h"
#include "autograd/formula.h"
#include "core/error.h"

namespace gb::compiler {
namespace {

using autograd::SavedVariable;
using autograd::variable_list;

struct CompiledBackward final : autograd::Node {
  TensorFunction fn;
  std::vector<SavedVariable> inputs_, lifted_;

  std::string name() const override { return "CompiledBackward"; }

  void release_variables() override {
    for (auto* list : {&inputs_, &lifted_}) {
      for (SavedVariable& v : *list) v.reset_data();
    }
  }

  std::vector<autograd::SavedField> saved() const override {
    std::vector<autograd::SavedField> fields;
    for (size_t i = 0; i < inputs_.size(); ++i) fields.emplace_back(fmt::format("input {}", i), &inputs_[i]);
    for (size_t i = 0; i < lifted_.size(); ++i) fields.emplace_back(fmt::format("lifted {}", i), &lifted_[i]);
    return fields;
  }

  // What `fn` runs on instead of an input. An own tensor for each, so that the gradient of one input holds no path through
  // another (f(a, b) called with b = 2 a), nor twice the same where one tensor is given twice.
  static Tensor stand_in(const Tensor& input, bool differentiable) {
    if (!input.requires_grad()) return input;
    if (differentiable) return input.view(input.sizes());  // still on the tape: create_graph goes on above it
    return input.detach().requires_grad_();
  }

  // With create_graph the stand-ins keep their history, which must then not lead to a lifted tensor.
  static void check_no_shared_history(const variable_list& inputs, const variable_list& lifted) {
    bool history = false, parameter = false;
    for (const Tensor& t : inputs) history |= t.requires_grad() && !t.is_leaf();
    for (const Tensor& t : lifted) parameter |= t.requires_grad();
    GB_CHECK_OR_THROW(!history || !parameter, NotImplementedError,
                      .what = "gb::compile: create_graph through a compiled region that holds parameters is not supported "
                              "for inputs with a grad_fn",
                      .cause = "such an input may depend on a parameter, and the two gradients could not be told apart",
                      .repair = "detach the inputs, pass the parameters as inputs, or run the callable eagerly",
                      .chapter = chapters::kCompile);
  }

  variable_list apply(variable_list&& grads) override {
    variable_list given, lifted, inputs, outputs;
    for (const SavedVariable& v : inputs_) given.push_back(v.unpack(getptr()));
    // `fn` reads the lifted tensors by itself; unpacking checks that nobody has changed them since.
    for (const SavedVariable& v : lifted_) lifted.push_back(v.unpack(getptr()));

    const bool differentiable = GradMode::is_enabled();  // create_graph: this backward is recorded too
    if (differentiable) check_no_shared_history(given, lifted);
    {
      const AutoGradMode recording(true);
      for (const Tensor& t : given) inputs.push_back(stand_in(t, differentiable));
      outputs = fn(inputs);
    }
    variable_list all = inputs;
    all.insert(all.end(), lifted.begin(), lifted.end());
    variable_list from, seeds, to;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!grads[i].defined() || !outputs[i].requires_grad()) continue;
      from.push_back(outputs[i]);
      seeds.push_back(grads[i]);
    }
    std::vector<size_t> wanted;
    for (size_t i = 0; i < all.size(); ++i) {
      if (!should_compute_output(i)) continue;
      wanted.push_back(i);
      to.push_back(all[i]);
    }
    variable_list result(all.size());
    if (from.empty() || to.empty()) return result;
    variable_list found = autograd::grad(from, to, seeds, /*retain_graph=*/differentiable, differentiable,
                                         /*allow_unused=*/true);
    for (size_t i = 0; i < wanted.size(); ++i) result[wanted[i]] = std::move(found[i]);
    return result;
  }
};

}  // namespace

void record_compiled_region(const std::vector<Tensor>& outputs, const TensorFunction& fn,
                            const std::vector<Tensor>& inputs, const std::vector<Tensor>& lifted) {
  const auto node = std::make_shared<CompiledBackward>();
  node->set_next_edges(autograd::collect_next_edges(TensorList(inputs), TensorList(lifted)));
  node->fn = fn;
  for (const Tensor& t : inputs) node->inputs_.emplace_back(t, /*is_output=*/false);
  for (const Tensor& t : lifted) node->lifted_.emplace_back(t, /*is_output=*/false);
  autograd::set_history(outputs, node);
}

}  // namespace gb::compiler
