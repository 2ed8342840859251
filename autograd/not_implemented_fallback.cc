#include "autograd/not_implemented_fallback.h"

#include <fmt/format.h>

#include "autograd/autograd_meta.h"
#include "autograd/basic_nodes.h"
#include "autograd/formula.h"
#include "core/error.h"
#include "dispatcher/tensors_in_value.h"

namespace gb {
namespace {

using autograd::NotImplemented;

// The tensors that the operator writes, by its schema. Taken before the call: it replaces the arguments.
std::vector<Tensor> written_arguments(const FunctionSchema& schema, const Stack& stack) {
  std::vector<Tensor> written;
  const ArrayRef<IValue> arguments = jit::last(stack, schema.arguments().size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!schema.arguments()[i].is_write()) continue;
    for (Tensor& t : tensors_in(arguments[i])) written.push_back(std::move(t));
  }
  return written;
}

bool is_among(const Tensor& t, const std::vector<Tensor>& list) {
  for (const Tensor& other : list)
    if (other.is_same(t)) return true;
  return false;
}

void not_implemented(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const FunctionSchema& schema = op.schema();
  std::vector<Tensor> inputs = tensors_in(jit::last(*stack, schema.arguments().size()));
  if (!autograd::compute_requires_grad(TensorList(inputs))) {
    inputs.clear();  // no second reference while the kernel runs
    return op.redispatchBoxed(ks & after_autograd_keyset, stack);  // without a guard, as a call that is not boxed
  }
  const std::string name = toString(op.operator_name());
  const std::vector<Tensor> written = written_arguments(schema, *stack);
  for (const Tensor& t : written) autograd::check_inplace(t, name.c_str(), /*recorded=*/true);
  const auto grad_fn = std::make_shared<NotImplemented>(name, autograd::collect_next_edges(TensorList(inputs)));
  {
    AutoDispatchBelowAutograd guard;
    op.redispatchBoxed(ks & after_autograd_keyset, stack);
  }
  for (const Tensor& t : written) {
    if (isFloatingType(t.scalar_type())) autograd::rebase_history(t, grad_fn);
  }
  for (const Tensor& output : tensors_in(jit::last(*stack, schema.returns().size()))) {
    // An input that comes back as it is keeps the history that it has, which is right for it.
    if (!is_among(output, inputs)) autograd::set_history(output, grad_fn, name.c_str());
  }
}

// The number of the output that is declared a view (an alias that is not written); -1 where none is.
int view_output(const OperatorHandle& op) {
  const FunctionSchema& schema = op.schema();
  int found = -1;
  for (size_t i = 0; i < schema.returns().size(); ++i) {
    const AliasInfo* info = schema.returns()[i].alias_info();
    if (!info || info->isWrite()) continue;
    const SchemaArgument output{SchemaArgType::output, i};
    const bool of_first = !schema.arguments().empty() &&
                          schema.may_contain_alias(output, SchemaArgument{SchemaArgType::input, 0});
    GB_CHECK_OR_THROW(
        found < 0 && of_first, NotImplementedError,
        .what = fmt::format("{}: only one output may be a view, and only of the first argument",
                            toString(op.operator_name())),
        .cause = fmt::format("the schema is {}", to_string(schema)),
        .repair = "write a kernel at ADInplaceOrView that calls autograd::as_view for each view",
        .chapter = chapters::kAutograd);
    found = static_cast<int>(i);
  }
  return found;
}

void not_implemented_inplace_or_view(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const FunctionSchema& schema = op.schema();
  const int view = view_output(op);
  const std::vector<Tensor> written = written_arguments(schema, *stack);
  Tensor base;
  if (view >= 0) {
    const IValue& first = jit::peek(*stack, 0, schema.arguments().size());
    GB_CHECK_OR_THROW(
        first.isTensor(), TypeError,
        .what = fmt::format("{}: the base of a view must be one tensor", toString(op.operator_name())),
        .cause = fmt::format("the first argument is {}", first.tagKind()),
        .repair = "write a kernel at ADInplaceOrView that calls autograd::as_view",
        .chapter = chapters::kAutograd);
    base = first.toTensor();
  }
  for (const Tensor& t : written) autograd::check_inplace(t, op.operator_name().name.c_str(), /*recorded=*/false);
  {
    AutoDispatchBelowADInplaceOrView guard;
    op.redispatchBoxed(ks & after_ADInplaceOrView_keyset, stack);
  }
  if (!written.empty()) {
    const uint32_t writer = intern_writer(toString(op.operator_name()));
    for (const Tensor& t : written) autograd::increment_version(t, writer);
  }
  if (view < 0) return;
  const IValue& result = jit::peek(*stack, static_cast<size_t>(view), schema.returns().size());
  const autograd::CreationMeta creation_meta = autograd::creation_meta_now(/*multi_output=*/!result.isTensor());
  for (const Tensor& t : tensors_in(result)) {
    if (!t.is_same(base)) autograd::set_base(t, base, /*differentiable=*/true, creation_meta);
  }
}

}  // namespace

CppFunction autogradNotImplementedFallback() {
  return CppFunction::makeFromBoxedFunction<&not_implemented>().onlyWhenRecording();
}

CppFunction autogradNotImplementedInplaceOrViewFallback() {
  return CppFunction::makeFromBoxedFunction<&not_implemented_inplace_or_view>();
}

GB_LIBRARY_IMPL(_, AutogradFunctionality, m) { m.fallback(autogradNotImplementedFallback()); }
GB_LIBRARY_IMPL(_, AutogradOther, m) { m.fallback(autogradNotImplementedFallback()); }

}  // namespace gb
