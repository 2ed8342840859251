#include "library/registration.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace gb {

std::string to_string(const Place& place) { return fmt::format("{}:{}", place.file, place.line); }

namespace detail {

OperatorHandle find_defined(const char* verb, const std::string& name) {
  const OperatorName parsed = jit::parseName(name);
  const auto op = Dispatcher::singleton().findSchema(parsed);
  GB_CHECK_OR_THROW(op, Error, .what = fmt::format("{}: the operator {} does not exist", verb, name),
                    .cause = "a register_* call adds to an operator that is defined already",
                    .repair = "define it first, with custom_op or m.def, or check the spelling",
                    .chapter = chapters::kCustomOps);
  return *op;
}

void check_free(const char* verb, const OperatorHandle& op, DispatchKey key, const Place& at) {
  if (!op.hasKernelForDispatchKey(key)) return;
  GB_THROW(
      Error,
      .what = fmt::format("{}: the operator {} already has a DispatchKey::{} implementation", verb,
                          toString(op.operator_name()), toString(key)),
      .cause = fmt::format("registered: {}; the second: {}", op.entry().listKernels(), to_string(at)),
      .repair = fmt::format("call {} once per key; to replace a kernel, let its Library or CustomOpDef go first", verb),
      .chapter = chapters::kCustomOps);
}

bool is_functional(const FunctionSchema& schema) {
  const auto aliases = [](const Argument& a) { return a.alias_info() != nullptr; };
  return !schema.is_mutable() && std::none_of(schema.returns().begin(), schema.returns().end(), aliases);
}

bool holds_tensors(const Type& type) {
  if (type.kind() == TypeKind::TensorType) return true;
  const bool wraps = type.kind() == TypeKind::ListType || type.kind() == TypeKind::OptionalType;
  return wraps && holds_tensors(*type.containedType(0));
}

namespace {

void collect_sets(const AliasInfo& info, AliasInfo::Sets& sets) {
  sets.insert(info.beforeSets().begin(), info.beforeSets().end());
  sets.insert(info.afterSets().begin(), info.afterSets().end());
  for (const AliasInfo& element : info.containedTypes()) collect_sets(element, sets);
}

}  // namespace

bool declares_alias(const Argument& a, const Argument& b) {
  if (!a.alias_info() || !b.alias_info()) return false;
  AliasInfo::Sets of_a, of_b;
  collect_sets(*a.alias_info(), of_a), collect_sets(*b.alias_info(), of_b);
  const Symbol wildcard = AliasInfo::wildcardSet();
  return of_a.count(wildcard) || of_b.count(wildcard) ||
         std::any_of(of_a.begin(), of_a.end(), [&](const Symbol& set) { return of_b.count(set) != 0; });
}

bool has_tensor_argument(const FunctionSchema& schema) {
  return std::any_of(schema.arguments().begin(), schema.arguments().end(),
                     [](const Argument& a) { return holds_tensors(*a.type()); });
}

}  // namespace detail
}  // namespace gb
