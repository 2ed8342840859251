#include "dispatcher/types.h"

#include <fmt/format.h>

#include <ostream>

#include "core/error.h"

namespace gb {
namespace {

constexpr const char* kAtomSpelling[] = {
#define GB_SPELLING(kind, spelling) spelling,
    GB_FORALL_ATOM_TYPES(GB_SPELLING)
#undef GB_SPELLING
};
constexpr const char* kKindNames[] = {
#define GB_NAME(kind, spelling) #kind,
    GB_FORALL_ATOM_TYPES(GB_NAME)
#undef GB_NAME
        "ListType",
    "OptionalType",
    "DictType",
    "TupleType",
    "FutureType",
    "AwaitType",
    "RRefType",
    "VarType",
    "ClassType"};

bool is_atom(TypeKind kind) { return static_cast<size_t>(kind) < kNumAtomTypes; }

TypeKind lower_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::ScalarTypeType:
    case TypeKind::LayoutType:
    case TypeKind::MemoryFormatType:
    case TypeKind::SymIntType:
      return TypeKind::IntType;
    case TypeKind::SymFloatType:
      return TypeKind::FloatType;
    case TypeKind::SymBoolType:
      return TypeKind::BoolType;
    default:
      return kind;
  }
}

// "a, b" with the parts spelled by `spell`.
template <class Spell>
std::string join(const std::vector<TypePtr>& parts, Spell spell) {
  std::string text;
  for (const TypePtr& part : parts) text += (text.empty() ? "" : ", ") + spell(*part);
  return text;
}

std::string schema_spelling(const Type& t) { return t.str(); }
std::string python_spelling(const Type& t) { return t.annotation_str(); }

TypePtr rebuild(TypeKind kind, std::vector<TypePtr> parts) {
  switch (kind) {
    case TypeKind::ListType:
      return ListType::create(parts[0]);
    case TypeKind::OptionalType:
      return OptionalType::create(parts[0]);
    case TypeKind::FutureType:
      return FutureType::create(parts[0]);
    case TypeKind::AwaitType:
      return AwaitType::create(parts[0]);
    case TypeKind::RRefType:
      return RRefType::create(parts[0]);
    case TypeKind::DictType:
      return DictType::create(parts[0], parts[1]);
    default:
      return TupleType::create(std::move(parts));
  }
}

}  // namespace

const char* typeKindToString(TypeKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::vector<TypePtr> make_atom_types() {
  return {
#define GB_MAKE(kind, spelling) TypePtr(new kind()),
      GB_FORALL_ATOM_TYPES(GB_MAKE)
#undef GB_MAKE
  };
}

const TypePtr& atom_type(TypeKind kind) {
  // Never freed: static destructors of other files may still print a type.
  static const std::vector<TypePtr>& atoms = *new std::vector<TypePtr>(make_atom_types());
  return atoms.at(static_cast<size_t>(kind));
}

std::string Type::str() const {
  switch (kind_) {
    case TypeKind::ListType:
      return contained_[0]->str() + "[]";
    case TypeKind::OptionalType:
      return contained_[0]->str() + "?";
    case TypeKind::DictType:
      return "Dict(" + join(contained_, schema_spelling) + ")";
    case TypeKind::TupleType:
      return "(" + join(contained_, schema_spelling) + ")";
    case TypeKind::FutureType:
      return "Future(" + contained_[0]->str() + ")";
    case TypeKind::AwaitType:
      return "Await(" + contained_[0]->str() + ")";
    case TypeKind::RRefType:
      return "RRef(" + contained_[0]->str() + ")";
    default:
      return kAtomSpelling[static_cast<size_t>(kind_)];
  }
}

std::string Type::annotation_str() const {
  const std::string parts = join(contained_, python_spelling);
  switch (kind_) {
    case TypeKind::ListType:
      return "List[" + parts + "]";
    case TypeKind::OptionalType:
      return "Optional[" + parts + "]";
    case TypeKind::DictType:
      return "Dict[" + parts + "]";
    case TypeKind::TupleType:
      return parts.empty() ? "Tuple[()]" : "Tuple[" + parts + "]";
    case TypeKind::FutureType:
      return "Future[" + parts + "]";
    case TypeKind::AwaitType:
      return "Await[" + parts + "]";
    case TypeKind::RRefType:
      return "RRef[" + parts + "]";
    case TypeKind::NumberType:
      return "number";
    case TypeKind::DeviceObjType:
      return "Device";
    default:
      return str();
  }
}

bool Type::equals(const Type& other) const {
  if (this == &other) return true;
  if (kind_ != other.kind_ || contained_.size() != other.contained_.size()) return false;
  if (kind_ == TypeKind::VarType || kind_ == TypeKind::ClassType) return str() == other.str();
  for (size_t i = 0; i < contained_.size(); ++i)
    if (!contained_[i]->equals(*other.contained_[i])) return false;
  return true;
}

bool Type::isSubtypeOf(const Type& other) const {
  const TypeKind mine = lower_kind(kind_), wanted = lower_kind(other.kind_);
  if (wanted == TypeKind::AnyType || wanted == TypeKind::VarType) return true;
  if (wanted == TypeKind::OptionalType) {
    if (mine == TypeKind::NoneType) return true;
    return (mine == TypeKind::OptionalType ? *contained_[0] : *this).isSubtypeOf(*other.contained_[0]);
  }
  if (wanted == TypeKind::NumberType) {  // a Scalar may hold a bool as well
    return mine == TypeKind::NumberType || mine == TypeKind::IntType || mine == TypeKind::FloatType ||
           mine == TypeKind::BoolType || mine == TypeKind::ComplexType;
  }
  if (wanted == TypeKind::AnyListType) return mine == TypeKind::ListType || mine == wanted;
  if (wanted == TypeKind::AnyTupleType) return mine == TypeKind::TupleType || mine == wanted;
  if (mine != wanted) return false;
  if (is_atom(mine)) return true;
  if (mine == TypeKind::TupleType) {
    if (contained_.size() != other.contained_.size()) return false;
    for (size_t i = 0; i < contained_.size(); ++i)
      if (!contained_[i]->isSubtypeOf(*other.contained_[i])) return false;
    return true;
  }
  // A list can be written to, so its element type must be the same, not narrower.
  auto self = std::const_pointer_cast<Type>(shared_from_this());
  auto target = std::const_pointer_cast<Type>(other.shared_from_this());
  return lower_type(self)->equals(*lower_type(target));
}

bool Type::isSubtypeOfExt(const Type& other, std::ostream* why_not) const {
  const bool is_subtype = isSubtypeOf(other);
  if (!is_subtype && why_not) *why_not << "`" << str() << "` may not stand for `" << other.str() << "`";
  return is_subtype;
}

bool Type::hasFreeVariables() const {
  if (kind_ == TypeKind::VarType) return true;
  for (const TypePtr& part : contained_)
    if (part->hasFreeVariables()) return true;
  return false;
}

void Type::throw_wrong_kind(TypeKind wanted) const {
  GB_THROW(TypeError, .what = fmt::format("Type::expect: the type is not a {}", typeKindToString(wanted)),
           .cause = fmt::format("it is `{}`, a {}", str(), typeKindToString(kind_)),
           .repair = "look at kind() first, or use cast<T>(), which gives null for another kind",
           .chapter = chapters::kDispatch);
}

std::shared_ptr<DictType> DictType::create(TypePtr key, TypePtr value) {
  return std::shared_ptr<DictType>(new DictType(Kind, {std::move(key), std::move(value)}));
}
std::shared_ptr<TupleType> TupleType::create(std::vector<TypePtr> elements) {
  return std::shared_ptr<TupleType>(new TupleType(Kind, std::move(elements)));
}
std::shared_ptr<VarType> VarType::create(std::string name) {
  return std::shared_ptr<VarType>(new VarType(std::move(name)));
}
std::shared_ptr<ClassType> ClassType::create(std::string qualified_name) {
  return std::shared_ptr<ClassType>(new ClassType(std::move(qualified_name)));
}

TypePtr lower_type(const TypePtr& type) {
  if (is_atom(type->kind())) return atom_type(lower_kind(type->kind()));
  std::vector<TypePtr> parts;
  bool changed = false;
  for (const TypePtr& part : type->containedTypes()) {
    parts.push_back(lower_type(part));
    changed |= parts.back() != part;
  }
  return changed ? rebuild(type->kind(), std::move(parts)) : type;
}

std::string to_string(const Type& type) { return type.str(); }
std::string toString(const TypePtr& type) { return type->str(); }
std::ostream& operator<<(std::ostream& out, const Type& type) { return out << type.str(); }

}  // namespace gb
