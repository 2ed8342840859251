#include "library/modes/logging_mode.h"

#include <fmt/format.h>

namespace gb {
namespace {

const void* memory_of(const Tensor& t) {
  if (t.has_storage()) return t.storage().unsafeGetStorageImpl();
  return t.unsafeGetTensorImpl();
}

}  // namespace

std::string LoggingMode::number(const Tensor& t) {
  if (!t.defined()) return "undefined";
  in_call_.insert(memory_of(t));
  const auto [at, is_new] = numbers_[memory_of(t)].emplace(
      Geometry{t.storage_offset(), t.sizes().vec(), t.strides().vec(), t.scalar_type(), t.device().type()},
      next_);
  next_ += is_new;
  return fmt::format("${}", at->second);
}

// The schema's type says what an int means.
std::string LoggingMode::spell(const IValue& value, const Type& type) {
  if (type.kind() == TypeKind::OptionalType && !value.isNone()) return spell(value, *type.containedType(0));
  if (value.isTensor()) return number(value.toTensor());
  if (value.isInt() && type.kind() == TypeKind::ScalarTypeType) return dtype_abbr(value.toScalarType());
  if (value.isInt() && type.kind() == TypeKind::LayoutType) return toString(value.toLayout());
  if (value.isInt() && type.kind() == TypeKind::MemoryFormatType) return toString(value.toMemoryFormat());
  if (value.isList() && type.kind() == TypeKind::ListType) {
    std::vector<std::string> elements;
    for (const IValue& element : value.toListRef())
      elements.push_back(spell(element, *type.containedType(0)));
    return fmt::format("[{}]", fmt::join(elements, ", "));
  }
  return to_string(value);
}

std::string LoggingMode::spell_arguments(const FunctionSchema& schema, ArrayRef<IValue> values) {
  std::vector<std::string> spelled;
  for (size_t i = 0; i < values.size(); ++i) {
    const gb::Argument& argument = schema.arguments()[i];
    if (argument.kwarg_only() && argument.default_value() && *argument.default_value() == values[i]) continue;
    const std::string text = spell(values[i], *argument.real_type());
    spelled.push_back(argument.kwarg_only() ? argument.name() + "=" + text : text);
  }
  return fmt::format("{}", fmt::join(spelled, ", "));
}

void LoggingMode::dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const FunctionSchema& schema = op.schema();
  in_call_.clear();
  // Spelled before the call: afterwards the arguments are gone, and their numbers must come first.
  const std::string call = fmt::format("{}({})", toString(op.operator_name()),
                                       spell_arguments(schema, jit::last(*stack, schema.arguments().size())));
  const std::set<const void*> arguments = in_call_;  // a mode pushed in between may come back here
  op.redispatchBoxed(ks, stack);
  in_call_ = arguments;
  std::vector<std::string> results;
  for (const IValue& value : jit::last(*stack, schema.returns().size())) {
    if (value.isTensor() && value.toTensor().defined() && !in_call_.count(memory_of(value.toTensor())))
      numbers_.erase(memory_of(value.toTensor()));  // of a tensor that is dead by now
    std::string text = spell(value, *schema.returns()[results.size()].real_type());
    if (value.isTensor() && value.toTensor().defined()) {
      const Tensor& t = value.toTensor();
      text += fmt::format(": {}{}", dtype_abbr(t.scalar_type()), to_string(t.sizes()));
    }
    results.push_back(std::move(text));
  }
  lines_.push_back(results.empty() ? call : fmt::format("{} = {}", fmt::join(results, ", "), call));
}

std::string LoggingMode::text() const {
  std::string text;
  for (const std::string& line : lines_) text += line + "\n";
  return text;
}

}  // namespace gb
