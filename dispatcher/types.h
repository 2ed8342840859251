// Type: what a schema says about one argument or return: `Tensor`, `int[2]`, `Dict(str, Tensor)`,
// `Tensor(a!)?`, ...
//
// Invariants: a Type never changes after it is made. Atoms (types without parts) exist once per process, so
// equality of atoms is equality of kinds. ScalarType, Layout, MemoryFormat and the Sym types are *spelled*
// types: a value of such a type is held as an int (float, bool), and lower_type() gives what is held. PyTorch
// calls the two "real" and "fake" type. Names follow ATen/core/jit_type.h; the printed form is PyTorch's
// schema spelling.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gb {

// X(kind, spelling) for each atom; the spelling is what the schema parser reads and the printer prints.
#define GB_FORALL_ATOM_TYPES(X)       \
  X(TensorType, "Tensor")             \
  X(IntType, "int")                   \
  X(FloatType, "float")               \
  X(BoolType, "bool")                 \
  X(ComplexType, "complex")           \
  X(StringType, "str")                \
  X(NumberType, "Scalar")             \
  X(NoneType, "NoneType")             \
  X(DeviceObjType, "Device")          \
  X(StreamObjType, "Stream")          \
  X(GeneratorType, "Generator")       \
  X(StorageType, "Storage")           \
  X(QuantizerType, "Quantizer")       \
  X(QSchemeType, "QScheme")           \
  X(CapsuleType, "Capsule")           \
  X(AnyType, "Any")                   \
  X(AnyListType, "list")              \
  X(AnyTupleType, "tuple")            \
  X(AnyClassType, "AnyClassType")     \
  X(AnyEnumType, "AnyEnumType")       \
  X(ScalarTypeType, "ScalarType")     \
  X(LayoutType, "Layout")             \
  X(MemoryFormatType, "MemoryFormat") \
  X(SymIntType, "SymInt")             \
  X(SymFloatType, "SymFloat")         \
  X(SymBoolType, "SymBool")

enum class TypeKind : uint8_t {
#define GB_KIND(kind, spelling) kind,
  GB_FORALL_ATOM_TYPES(GB_KIND)
#undef GB_KIND
      ListType,
  OptionalType,
  DictType,
  TupleType,
  FutureType,
  AwaitType,
  RRefType,  // made of other types
  VarType,
  ClassType  // made of a name
};
inline constexpr size_t kNumAtomTypes = static_cast<size_t>(TypeKind::ListType);
const char* typeKindToString(TypeKind kind);

class Type;
using TypePtr = std::shared_ptr<Type>;

class Type : public std::enable_shared_from_this<Type> {
 public:
  virtual ~Type() = default;
  TypeKind kind() const { return kind_; }
  const std::vector<TypePtr>& containedTypes() const { return contained_; }
  const TypePtr& containedType(size_t i) const { return contained_.at(i); }
  virtual std::string str() const;            // schema spelling: "int[]", "Tensor?"
  std::string annotation_str() const;         // Python spelling: "List[int]", "Optional[Tensor]"
  bool equals(const Type& other) const;       // same structure
  bool isSubtypeOf(const Type& other) const;  // may a value of this type stand where `other` is asked for?
  bool isSubtypeOf(const TypePtr& other) const { return isSubtypeOf(*other); }
  // isSubtypeOf, and the reason why not.
  bool isSubtypeOfExt(const Type& other, std::ostream* why_not) const;
  bool hasFreeVariables() const;  // contains a type variable `t`

  template <class T>
  std::shared_ptr<T> cast() {
    return kind_ == T::Kind ? std::static_pointer_cast<T>(shared_from_this()) : nullptr;
  }
  template <class T>
  std::shared_ptr<const T> cast() const {
    return kind_ == T::Kind ? std::static_pointer_cast<const T>(shared_from_this()) : nullptr;
  }
  template <class T>
  const T* castRaw() const {
    return kind_ == T::Kind ? static_cast<const T*>(this) : nullptr;
  }
  template <class T>
  const T& expectRef() const {
    if (kind_ != T::Kind) throw_wrong_kind(T::Kind);
    return static_cast<const T&>(*this);
  }
  template <class T>
  std::shared_ptr<T> expect() {
    return expectRef<T>(), cast<T>();
  }

  friend bool operator==(const Type& a, const Type& b) { return a.equals(b); }

 protected:
  explicit Type(TypeKind kind, std::vector<TypePtr> contained = {})
      : kind_(kind), contained_(std::move(contained)) {}
  [[noreturn]] void throw_wrong_kind(TypeKind wanted) const;

 private:
  TypeKind kind_;
  std::vector<TypePtr> contained_;
};

const TypePtr& atom_type(TypeKind kind);  // the one object of an atom

template <TypeKind K>
class AtomType final : public Type {
 public:
  static constexpr TypeKind Kind = K;
  static const TypePtr& get() { return atom_type(K); }

 private:
  AtomType() : Type(K) {}
  friend std::vector<TypePtr> make_atom_types();
};
#define GB_ATOM(kind, spelling) using kind = AtomType<TypeKind::kind>;
GB_FORALL_ATOM_TYPES(GB_ATOM)
#undef GB_ATOM

// Types with exactly one part: T[], T?, Future(T), Await(T), RRef(T).
template <TypeKind K>
class SingleElementType final : public Type {
 public:
  static constexpr TypeKind Kind = K;
  static std::shared_ptr<SingleElementType> create(TypePtr element) {
    return std::shared_ptr<SingleElementType>(new SingleElementType(std::move(element)));
  }
  const TypePtr& getElementType() const { return containedTypes()[0]; }

 private:
  explicit SingleElementType(TypePtr element) : Type(K, {std::move(element)}) {}
};
using ListType = SingleElementType<TypeKind::ListType>;
using OptionalType = SingleElementType<TypeKind::OptionalType>;
using FutureType = SingleElementType<TypeKind::FutureType>;
using AwaitType = SingleElementType<TypeKind::AwaitType>;
using RRefType = SingleElementType<TypeKind::RRefType>;

class DictType final : public Type {
 public:
  static constexpr TypeKind Kind = TypeKind::DictType;
  static std::shared_ptr<DictType> create(TypePtr key, TypePtr value);
  const TypePtr& getKeyType() const { return containedTypes()[0]; }
  const TypePtr& getValueType() const { return containedTypes()[1]; }

 private:
  using Type::Type;
};

class TupleType final : public Type {
 public:
  static constexpr TypeKind Kind = TypeKind::TupleType;
  static std::shared_ptr<TupleType> create(std::vector<TypePtr> elements);
  const std::vector<TypePtr>& elements() const { return containedTypes(); }

 private:
  using Type::Type;
};

// `t`: any type, the same one wherever the name stands in a schema.
class VarType final : public Type {
 public:
  static constexpr TypeKind Kind = TypeKind::VarType;
  static std::shared_ptr<VarType> create(std::string name);
  const std::string& name() const { return name_; }
  std::string str() const override { return name_; }

 private:
  explicit VarType(std::string name) : Type(Kind), name_(std::move(name)) {}
  std::string name_;
};

// `__torch__.torch.classes.ns.Name`: a custom class, known here by its name only.
class ClassType final : public Type {
 public:
  static constexpr TypeKind Kind = TypeKind::ClassType;
  static std::shared_ptr<ClassType> create(std::string qualified_name);
  const std::string& name() const { return name_; }
  std::string str() const override { return name_; }

 private:
  explicit ClassType(std::string name) : Type(Kind), name_(std::move(name)) {}
  std::string name_;
};

// ScalarType, Layout, MemoryFormat, SymInt -> int; SymFloat -> float; SymBool -> bool; also inside
// other types.
TypePtr lower_type(const TypePtr& type);

std::string to_string(const Type& type);
std::string toString(const TypePtr& type);
std::ostream& operator<<(std::ostream& out, const Type& type);

}  // namespace gb
