#include "library/custom_autograd.h"

#include "autograd/function.h"
#include "library/registration.h"

namespace gb {
namespace {

struct GeneratedBackward final : autograd::FunctionNode {
  explicit GeneratedBackward(std::shared_ptr<const CustomFormula> f) : formula(std::move(f)) {}
  std::string name() const override { return formula->node_name; }
  autograd::variable_list run_backward(autograd::variable_list&& grads) override {
    return formula->backward(ctx, grads);
  }

  const std::shared_ptr<const CustomFormula> formula;  // outlives the registration, if the graph does
};

// A value of a schema type, tensor by tensor: None in a list is an undefined tensor. False where the type holds none, or
// the value is None.
template <class F>
bool for_each_tensor(const IValue& value, const Type& type, F&& f) {
  if (!detail::holds_tensors(type) || value.isNone()) return false;
  if (value.isTensor()) return f(value.toTensor()), true;
  for (const IValue& element : value.toListRef()) f(element.isTensor() ? element.toTensor() : Tensor());
  return true;
}

bool any_requires_grad(const FunctionSchema& schema, ArrayRef<IValue> values) {
  bool any = false;
  for (size_t i = 0; i < values.size(); ++i) {
    for_each_tensor(values[i], *schema.arguments()[i].type(),
                    [&](const Tensor& t) { any |= t.defined() && t.requires_grad(); });
  }
  return any;
}

size_t positional_arguments(const FunctionSchema& schema) {
  size_t n = 0;
  while (n < schema.arguments().size() && !schema.arguments()[n].kwarg_only()) ++n;
  return n;
}

void run_below_autograd(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const AutoDispatchBelowAutograd guard;
  const NoGradGuard no_grad;
  op.redispatchBoxed(ks & after_autograd_keyset, stack);
}

}  // namespace

namespace autograd {

// Function<T> for a T that is known at run time only: what Function<T>::apply does, with the forward and the
// types taken from the operator, and the backward from the formula.
template <>
struct Function<CustomFormula> {
  static void apply(const std::shared_ptr<const CustomFormula>& formula, const OperatorHandle& op,
                    DispatchKeySet ks, Stack* stack) {
    const FunctionSchema& schema = op.schema();
    const size_t n_out = schema.returns().size(), n_positional = positional_arguments(schema);
    const Stack arguments = jit::last(*stack, schema.arguments().size()).vec();
    auto node = std::make_shared<GeneratedBackward>(formula);
    variable_list inputs;
    for (size_t i = 0; i < n_positional; ++i) note(*node, inputs, arguments[i], *schema.arguments()[i].type());
    node->begin(node, inputs);
    run_below_autograd(op, ks, stack);

    const ArrayRef<IValue> results = jit::last(*stack, n_out);
    if (formula->setup_context) {
      const NoGradGuard no_grad;
      const ArrayRef<IValue> all(arguments);
      formula->setup_context(node->ctx, all.slice(0, n_positional), all.slice(n_positional, all.size() - n_positional),
                             n_out == 1 ? results[0] : IValue(ivalue::Tuple::create(results.vec())));
    }
    variable_list outputs;
    for (size_t o = 0; o < n_out; ++o) {
      for_each_tensor(results[o], *schema.returns()[o].type(), [&](const Tensor& t) { outputs.push_back(t); });
    }
    node->finish(node, inputs, outputs);
    put_back(outputs, stack, n_out);
  }

 private:
  // One place per argument, and per element of a list.
  static void note(FunctionNode& node, variable_list& inputs, const IValue& argument, const Type& type) {
    const bool has_tensors = for_each_tensor(argument, type, [&](const Tensor& t) {
      inputs.push_back(t);
      node.is_variable_.push_back(true);
    });
    if (!has_tensors) node.is_variable_.push_back(false);
  }
  // The outputs with their history take the places of those without.
  static void put_back(const variable_list& outputs, Stack* stack, size_t n_out) {
    size_t next = 0;
    for (size_t o = 0; o < n_out; ++o) {
      IValue& slot = jit::peek(stack, o, n_out);
      if (slot.isTensor()) {
        slot = outputs[next++];
      } else if (slot.isTensorList()) {
        const size_t count = slot.toListRef().size();
        slot = variable_list(outputs.begin() + static_cast<std::ptrdiff_t>(next),
                             outputs.begin() + static_cast<std::ptrdiff_t>(next + count));
        next += count;
      }
    }
  }
};

}  // namespace autograd

namespace {

struct AutogradKernel {
  void operator()(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const {
    if (GradMode::is_enabled() && any_requires_grad(op.schema(), jit::last(*stack, op.schema().arguments().size()))) {
      autograd::Function<CustomFormula>::apply(formula, op, ks, stack);
    } else {
      const AutoDispatchBelowAutograd guard;
      op.redispatchBoxed(ks & after_autograd_keyset, stack);
    }
  }
  std::shared_ptr<const CustomFormula> formula;
};

}  // namespace

CppFunction make_autograd_kernel(std::shared_ptr<const CustomFormula> formula) {
  return CppFunction::makeFromBoxedFunctor(
      std::make_unique<AutogradKernel>(AutogradKernel{std::move(formula)}));
}

}  // namespace gb
