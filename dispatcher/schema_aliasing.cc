// The questions about memory that a FunctionSchema answers from its annotations.
// Source of the rules: ATen/core/function_schema.cpp.
#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/function_schema.h"

namespace gb {
namespace {

using Types = std::vector<const Type*>;

// The types of memory that a value of `type` may *be*: an optional is what is in it, a number is none.
Types own_types(const Type& type) {
  switch (type.kind()) {
    case TypeKind::OptionalType:
      return own_types(*type.containedType(0));
    case TypeKind::TensorType:
    case TypeKind::StorageType:
    case TypeKind::AnyType:
    case TypeKind::VarType:
    case TypeKind::ClassType:
    case TypeKind::AnyListType:
    case TypeKind::AnyTupleType:
    case TypeKind::ListType:
    case TypeKind::DictType:
    case TypeKind::TupleType:
    case TypeKind::FutureType:
    case TypeKind::AwaitType:
    case TypeKind::RRefType:
      return {&type};
    default:
      return {};
  }
}

// The types of memory that stand *inside* values of these types, one level down.
Types inner_types(const Types& outer) {
  Types inner;
  for (const Type* type : outer) {
    for (const TypePtr& part : type->containedTypes()) {
      const Types own = own_types(*part);
      inner.insert(inner.end(), own.begin(), own.end());
    }
  }
  return inner;
}

bool any_value(const Type& t) { return t.kind() == TypeKind::AnyType || t.kind() == TypeKind::VarType; }

bool can_meet(const Types& a, const Types& b) {
  for (const Type* x : a)
    for (const Type* y : b)
      if (any_value(*x) || any_value(*y) || x->equals(*y)) return true;
  return false;
}

bool share_a_set(const AliasInfo* a, const AliasInfo* b) {
  if (!a || !b) return false;
  for (const Symbol set : a->afterSets())
    if (b->afterSets().count(set)) return true;
  return false;
}

}  // namespace

const Argument& FunctionSchema::at(const SchemaArgument& argument) const {
  const bool input = argument.type == SchemaArgType::input;
  const std::vector<Argument>& list = input ? arguments_ : returns_;
  GB_CHECK_OR_THROW(
      argument.index < list.size(), IndexError,
      .what = fmt::format("FunctionSchema: no {} {}", input ? "argument" : "return", argument.index),
      .cause = fmt::format("{} has {}: {}", toString(name_), list.size(), to_string(*this)),
      .repair = "use an index below arguments().size() or returns().size()", .chapter = chapters::kDispatch);
  return list[argument.index];
}

bool FunctionSchema::hasAnyAliasInfo() const {
  for (const std::vector<Argument>* list : {&arguments_, &returns_})
    for (const Argument& a : *list)
      if (a.alias_info()) return true;
  return false;
}

bool FunctionSchema::is_mutable() const {
  for (const Argument& a : arguments_)
    if (a.is_write()) return true;
  return false;
}
bool FunctionSchema::is_mutable(const SchemaArgument& argument) const { return at(argument).is_write(); }
bool FunctionSchema::is_mutable(std::string_view name) const {
  const std::optional<int> index = argumentIndexWithName(name);
  GB_CHECK_OR_THROW(
      index.has_value(), IndexError, .what = fmt::format("FunctionSchema: no argument named `{}`", name),
      .cause = to_string(*this), .repair = "use the name of an argument", .chapter = chapters::kDispatch);
  return arguments_[static_cast<size_t>(*index)].is_write();
}
bool FunctionSchema::is_aliasing(const SchemaArgument& argument) const {
  return at(argument).alias_info() != nullptr;
}

bool FunctionSchema::may_alias(const SchemaArgument& a, const SchemaArgument& b) const {
  const Argument &x = at(a), &y = at(b);
  return can_meet(own_types(*x.type()), own_types(*y.type())) && share_a_set(x.alias_info(), y.alias_info());
}

bool FunctionSchema::may_contain_alias(const SchemaArgument& a, const SchemaArgument& b,
                                       bool bidirectional) const {
  if (may_alias(a, b)) return true;
  const Argument &x = at(a), &y = at(b);
  const Types own_x = own_types(*x.type()), own_y = own_types(*y.type());
  const Types in_x = inner_types(own_x), in_y = inner_types(own_y);
  // A wildcard may have gone into any container of its type; what containers hold is not annotated, so it may
  // be shared.
  const bool y_in_x = y.alias_info() && y.alias_info()->isWildcardAfter() && can_meet(own_y, in_x);
  const bool x_in_y = x.alias_info() && x.alias_info()->isWildcardAfter() && can_meet(own_x, in_y);
  return y_in_x || (bidirectional && x_in_y) || can_meet(in_x, in_y);
}

}  // namespace gb
