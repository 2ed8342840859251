#include "library/custom_autograd.h"

#include "autograd/function.h"

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

// The tensors of an argument or result, one by one; false where the value is none.
template <class F>
bool for_each_tensor(const IValue& value, F&& f) {
  if (value.isTensor()) return f(value.toTensor()), true;
  if (value.isTensorList()) {
    for (const Tensor& t : value.toTensorVector()) f(t);
    return true;
  }
  if (!value.isList()) return false;
  bool tensors = false;  // Tensor?[]: None keeps its place, as an undefined tensor
  for (const IValue& element : value.toListRef()) tensors |= element.isTensor();
  if (!tensors) return false;
  for (const IValue& element : value.toListRef()) f(element.isTensor() ? element.toTensor() : Tensor());
  return true;
}

bool any_requires_grad(ArrayRef<IValue> values) {
  bool any = false;
  for (const IValue& v : values)
    for_each_tensor(v, [&](const Tensor& t) { any |= t.defined() && t.requires_grad(); });
  return any;
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
    const size_t n_out = op.schema().returns().size();
    const Stack arguments = jit::last(*stack, op.schema().arguments().size()).vec();
    auto node = std::make_shared<GeneratedBackward>(formula);
    variable_list inputs;
    for (const IValue& v : arguments) note(*node, inputs, v);
    node->begin(node, inputs);
    run_below_autograd(op, ks, stack);

    const ArrayRef<IValue> results = jit::last(*stack, n_out);
    if (formula->setup_context) {
      const NoGradGuard no_grad;
      formula->setup_context(node->ctx, arguments,
                             n_out == 1 ? results[0] : IValue(ivalue::Tuple::create(results.vec())));
    }
    variable_list outputs;
    for (const IValue& v : results) for_each_tensor(v, [&](const Tensor& t) { outputs.push_back(t); });
    node->finish(node, inputs, outputs);
    put_back(outputs, stack, n_out);
  }

 private:
  // One place per argument, and per element of a list.
  static void note(FunctionNode& node, variable_list& inputs, const IValue& argument) {
    const bool has_tensors = for_each_tensor(argument, [&](const Tensor& t) {
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
    if (GradMode::is_enabled() && any_requires_grad(jit::last(*stack, op.schema().arguments().size()))) {
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
