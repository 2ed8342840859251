// The questions about memory that a FunctionSchema answers from its annotations.
// Source of the rules: ATen/core/function_schema.cpp.
#include "dispatcher/schema_aliasing.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb {
namespace detail {

AliasTypeSet mapTypeToAliasTypeSet(const TypePtr& type) {
  switch (type->kind()) {
    case TypeKind::OptionalType:
    case TypeKind::FutureType:
      return mapTypeToAliasTypeSet(type->containedType(0));
    case TypeKind::TupleType: {
      AliasTypeSet parts;
      for (const TypePtr& part : type->containedTypes()) {
        const AliasTypeSet own = mapTypeToAliasTypeSet(part);
        parts.insert(parts.end(), own.begin(), own.end());
      }
      if (parts.empty()) return {};
      return {TupleType::create(std::move(parts))};
    }
    case TypeKind::TensorType:
    case TypeKind::AnyType:
    case TypeKind::ClassType:
    case TypeKind::ListType:
    case TypeKind::DictType:
      return {type};
    default:
      return {};
  }
}

AliasTypeSet getAliasTypeSetContainedTypes(const AliasTypeSet& types) {
  AliasTypeSet inside;
  for (const TypePtr& type : types)
    inside.insert(inside.end(), type->containedTypes().begin(), type->containedTypes().end());
  for (const TypePtr& type : types)  // what an object holds only its class knows: PyTorch calls it a capsule
    if (type->kind() == TypeKind::ClassType) inside.push_back(CapsuleType::get());
  for (size_t i = 0; i < inside.size(); ++i) {  // grows while it is read
    const std::vector<TypePtr> deeper = inside[i]->containedTypes();
    inside.insert(inside.end(), deeper.begin(), deeper.end());
  }
  return inside;
}

bool canAliasTypeSetsAlias(const AliasTypeSet& a, const AliasTypeSet& b) {
  for (const TypePtr& x : a)
    for (const TypePtr& y : b)
      if (x->equals(*y)) return true;
  return false;
}

}  // namespace detail

namespace {

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
  return share_a_set(x.alias_info(), y.alias_info()) &&
         detail::canAliasTypeSetsAlias(detail::mapTypeToAliasTypeSet(x.type()),
                                       detail::mapTypeToAliasTypeSet(y.type()));
}

bool FunctionSchema::may_contain_alias(const SchemaArgument& a, const SchemaArgument& b,
                                       bool bidirectional) const {
  if (may_alias(a, b)) return true;
  using namespace detail;
  const Argument &x = at(a), &y = at(b);
  const AliasTypeSet own_x = mapTypeToAliasTypeSet(x.type()), own_y = mapTypeToAliasTypeSet(y.type());
  const AliasTypeSet in_x = getAliasTypeSetContainedTypes(own_x), in_y = getAliasTypeSetContainedTypes(own_y);
  // A wildcard may have gone into any container of its type; what containers hold is not annotated, so it may
  // be shared.
  const bool y_in_x = y.alias_info() && y.alias_info()->isWildcardAfter() && canAliasTypeSetsAlias(own_y, in_x);
  const bool x_in_y = x.alias_info() && x.alias_info()->isWildcardAfter() && canAliasTypeSetsAlias(own_x, in_y);
  return y_in_x || (bidirectional && x_in_y) || canAliasTypeSetsAlias(in_x, in_y);
}

}  // namespace gb
