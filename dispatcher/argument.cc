#include "dispatcher/argument.h"

#include <ostream>

#include "dispatcher/ivalue_print.h"

namespace gb {
namespace {

// The type with the annotation where the schema has it: on the element of a list, inside the parts of a
// tuple.
std::string spell_type(const Type& type, const AliasInfo* alias, std::optional<int32_t> n) {
  const auto contained = [alias](size_t i) {
    return alias && i < alias->containedTypes().size() ? &alias->containedTypes()[i] : nullptr;
  };
  const std::string own = alias ? to_string(*alias) : "";
  switch (type.kind()) {
    case TypeKind::OptionalType:
      return spell_type(*type.containedType(0), alias, n) + "?";
    case TypeKind::ListType:
      return spell_type(*type.containedType(0), contained(0), {}) + "[" + (n ? std::to_string(*n) : "") +
             "]" + own;
    case TypeKind::TupleType: {
      std::string parts;
      for (size_t i = 0; i < type.containedTypes().size(); ++i)
        parts += (i ? ", " : "") + spell_type(*type.containedType(i), contained(i), {});
      return "(" + parts + ")" + own;
    }
    default:
      return type.str() + own;
  }
}

// `int[2] stride=1` stands for [1, 1]. PyTorch folds lists of `int` only, not of `SymInt`, and none of
// length 1.
bool folds_to_one(const Argument& a, ArrayRef<IValue> values) {
  const Type& type = *a.real_type();
  const Type& list = type.kind() == TypeKind::OptionalType ? *type.containedType(0) : type;
  if (!a.N() || list.kind() != TypeKind::ListType || list.containedType(0)->kind() != TypeKind::IntType)
    return false;
  if (values.size() != static_cast<size_t>(*a.N()) || values.size() < 2) return false;
  for (const IValue& v : values)
    if (!(v == values[0])) return false;
  return true;
}

// A value as the parser reads it. A device is a text there; PyTorch prints it bare, and cannot read that back.
std::string spell_value(const IValue& v) {
  if (v.isDevice()) return detail::spell_string(v.toDevice().str());
  if (!v.isList()) return to_string(v);
  std::string text = "[";
  for (const IValue& element : v.toListRef()) text += (text.size() > 1 ? ", " : "") + spell_value(element);
  return text + "]";
}
std::string spell_default(const Argument& a) {
  const IValue& v = *a.default_value();
  return spell_value(v.isList() && folds_to_one(a, v.toListRef()) ? v.toListRef()[0] : v);
}

// By their texts too: a NaN does not equal itself.
bool same_default(const std::optional<IValue>& a, const std::optional<IValue>& b) {
  return a == b || (a && b && spell_value(*a) == spell_value(*b));
}

bool same_alias(const AliasInfo* a, const AliasInfo* b) { return a && b ? *a == *b : a == b; }

}  // namespace

Argument::Argument(std::string name, const TypePtr& type, std::optional<int32_t> N,
                   std::optional<IValue> default_value, bool kwarg_only, std::optional<AliasInfo> alias_info)
    : Argument(std::move(name), type ? lower_type(type) : nullptr, type, N, std::move(default_value), kwarg_only,
               std::move(alias_info)) {}

Argument::Argument(std::string name, TypePtr held_type, TypePtr real_type, std::optional<int32_t> N,
                   std::optional<IValue> default_value, bool kwarg_only, std::optional<AliasInfo> alias_info)
    : name_(std::move(name)),
      type_(held_type ? std::move(held_type) : TensorType::get()),
      real_type_(real_type ? std::move(real_type) : type_),
      default_value_(std::move(default_value)),
      n_(N),
      kwarg_only_(kwarg_only) {
  if (alias_info) alias_info_ = std::make_shared<const AliasInfo>(std::move(*alias_info));
}

Argument Argument::cloneWithType(const TypePtr& type) const {
  Argument clone(name_, type, n_, default_value_, kwarg_only_);
  clone.alias_info_ = alias_info_;
  return clone;
}

bool operator==(const Argument& a, const Argument& b) {
  return a.name_ == b.name_ && *a.type_ == *b.type_ && a.n_ == b.n_ &&
         same_default(a.default_value_, b.default_value_) && a.kwarg_only_ == b.kwarg_only_ &&
         same_alias(a.alias_info(), b.alias_info());
}

std::string to_string(const Argument& a) {
  std::string text = spell_type(*a.real_type(), a.alias_info(), a.N());
  if (!a.name().empty()) text += " " + a.name();
  if (a.default_value()) text += "=" + spell_default(a);
  return text;
}
std::ostream& operator<<(std::ostream& out, const Argument& a) { return out << to_string(a); }

}  // namespace gb
