// IValue: any value that crosses a boxed call: 16 bytes, a payload and a tag saying which kind it is.
//
// Invariants: numbers, devices and None live in the payload; strings, lists and tuples are counted and
// shared, so a copy of an IValue sees a later change of the list. A Tensor is held as the Tensor itself
// (undefined ones too). A moved-from IValue is None. A Scalar is held as what it is inside (float, int or
// bool), and ScalarType, Layout and MemoryFormat as ints: the schema says what such an int means. An object of
// a custom class is any CustomClassHolder; what class it is, its dynamic type says. Names follow
// ATen/core/ivalue.h.
#pragma once

#include <concepts>
#include <iosfwd>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "core/generator.h"
#include "core/stream.h"
#include "core/tensor.h"
#include "dispatcher/types.h"

namespace gb {

class IValue;
template <class T>
class List;
template <class K, class V>
class Dict;
struct WeakIValue;
namespace detail {
struct ListImpl;
struct DictImpl;
}  // namespace detail
namespace ivalue {
struct Tuple;
struct ConstantString;
}  // namespace ivalue

// Base of the classes whose objects may be arguments of operators, as intrusive_ptr<T>.
struct CustomClassHolder : intrusive_ptr_target {};

class IValue final {
 public:
  enum class Tag : uint32_t {
    None,
    Tensor,
    Double,
    Int,
    Bool,
    Device,
    String,  // from here on counted
    List,
    Tuple,
    Storage,
    Generator,
    Stream,
    Dict,
    Object
  };

  IValue() noexcept : tag_(Tag::None) { payload_.as_int = 0; }
  IValue(const IValue& other) : tag_(other.tag_) { copy_payload(other); }
  IValue(IValue&& other) noexcept : tag_(other.tag_) { steal_payload(other); }
  IValue& operator=(const IValue& other) & { return *this = IValue(other); }
  IValue& operator=(IValue&& other) & noexcept {
    if (this != &other) {
      destroy();
      tag_ = other.tag_;
      steal_payload(other);
    }
    return *this;
  }
  ~IValue() { destroy(); }
  void swap(IValue& other) noexcept { std::swap(*this, other); }

  IValue(Tensor t) noexcept : tag_(Tag::Tensor) { new (&payload_.as_tensor) Tensor(std::move(t)); }
  template <std::floating_point T>
  IValue(T v) noexcept : tag_(Tag::Double) {
    payload_.as_double = static_cast<double>(v);
  }
  template <std::integral T>
  IValue(T v) noexcept : tag_(std::same_as<T, bool> ? Tag::Bool : Tag::Int) {
    payload_.as_int = static_cast<int64_t>(v);
  }
  IValue(const Scalar& s) noexcept;
  IValue(Device d) noexcept : tag_(Tag::Device) {
    payload_.as_int = 0;
    payload_.as_device = {static_cast<int8_t>(d.type()), d.index()};
  }
  IValue(DeviceType d) noexcept : IValue(Device(d)) {}
  IValue(ScalarType v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(Layout v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(MemoryFormat v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(std::string_view text);
  IValue(const std::string& text) : IValue(std::string_view(text)) {}
  IValue(const char* text) : IValue(std::string_view(text)) {}
  IValue(std::nullopt_t) noexcept : IValue() {}
  IValue(intrusive_ptr<ivalue::Tuple> tuple) noexcept;
  IValue(intrusive_ptr<ivalue::ConstantString> text) noexcept;
  IValue(const Storage& storage) noexcept;
  IValue(const Generator& generator) noexcept : IValue(Tag::Generator, generator.getIntrusivePtr()) {}
  IValue(const Stream& stream);
  template <std::derived_from<CustomClassHolder> T>
  IValue(intrusive_ptr<T> object) noexcept : IValue(Tag::Object, std::move(object)) {}
  template <class T>
  IValue(const std::optional<T>& v) : IValue() {
    if (v) *this = IValue(*v);
  }
  template <class T>
  IValue(std::optional<T>&& v) : IValue() {
    if (v) *this = IValue(std::move(*v));
  }
  template <class T>
  IValue(List<T> list) noexcept;
  template <class K, class V>
  IValue(Dict<K, V> dict) noexcept;
  template <class T>
  IValue(ArrayRef<T> values);
  template <class T>
  IValue(const std::vector<T>& values);
  template <class T, size_t N>
  IValue(const std::array<T, N>& values);
  template <class... Ts>
  IValue(std::tuple<Ts...> values);

  bool isNone() const { return tag_ == Tag::None; }
  bool isTensor() const { return tag_ == Tag::Tensor; }
  bool isDouble() const { return tag_ == Tag::Double; }
  bool isInt() const { return tag_ == Tag::Int; }
  bool isBool() const { return tag_ == Tag::Bool; }
  bool isScalar() const { return isDouble() || isInt() || isBool(); }
  bool isDevice() const { return tag_ == Tag::Device; }
  bool isString() const { return tag_ == Tag::String; }
  bool isList() const { return tag_ == Tag::List; }
  bool isTuple() const { return tag_ == Tag::Tuple; }
  bool isStorage() const { return tag_ == Tag::Storage; }
  bool isGenerator() const { return tag_ == Tag::Generator; }
  bool isStream() const { return tag_ == Tag::Stream; }
  bool isGenericDict() const { return tag_ == Tag::Dict; }
  bool isObject() const { return tag_ == Tag::Object; }
  bool isCustomClass() const { return isObject(); }
  bool isPtrType() const { return isIntrusivePtr() || (isTensor() && payload_.as_tensor.defined()); }
  bool isIntrusivePtr() const { return tag_ >= Tag::String; }
  bool isIntList() const { return is_list_of(TypeKind::IntType); }
  bool isDoubleList() const { return is_list_of(TypeKind::FloatType); }
  bool isBoolList() const { return is_list_of(TypeKind::BoolType); }
  bool isTensorList() const { return is_list_of(TypeKind::TensorType); }
  bool isOptionalTensorList() const;

  // Each throws TypeError when the value is of another kind.
  const Tensor& toTensor() const& { return check(Tag::Tensor), payload_.as_tensor; }
  Tensor& toTensor() & { return check(Tag::Tensor), payload_.as_tensor; }
  Tensor toTensor() && { return check(Tag::Tensor), std::move(payload_.as_tensor); }
  double toDouble() const { return check(Tag::Double), payload_.as_double; }
  int64_t toInt() const { return check(Tag::Int), payload_.as_int; }
  bool toBool() const { return check(Tag::Bool), payload_.as_int != 0; }
  Scalar toScalar() const;
  Device toDevice() const {
    check(Tag::Device);
    return Device(static_cast<DeviceType>(payload_.as_device.type), payload_.as_device.index);
  }
  ScalarType toScalarType() const;      // an int in the enum's range, else ValueError
  Layout toLayout() const;              // likewise
  MemoryFormat toMemoryFormat() const;  // likewise
  Storage toStorage() const;
  Generator toGenerator() const;
  Stream toStream() const;
  intrusive_ptr<ivalue::ConstantString> toString() const;
  const std::string& toStringRef() const;
  std::string_view toStringView() const { return toStringRef(); }
  std::optional<std::reference_wrapper<const std::string>> toOptionalStringRef() const;
  List<IValue> toList() const;  // whatever its elements are; so put in only what fits them
  ArrayRef<IValue> toListRef() const;  // looks into the shared list
  List<int64_t> toIntList() const;
  List<double> toDoubleList() const;
  List<bool> toBoolList() const;
  List<Tensor> toTensorList() const;
  List<std::optional<Tensor>> toOptionalTensorList() const;
  std::vector<int64_t> toIntVector() const;
  std::vector<double> toDoubleVector() const;
  std::vector<Tensor> toTensorVector() const;
  std::vector<std::optional<Tensor>> toOptionalTensorVector() const;
  Dict<IValue, IValue> toGenericDict() const;  // whatever its keys and values are
  intrusive_ptr<ivalue::Tuple> toTuple() const;
  const ivalue::Tuple& toTupleRef() const;
  TensorImpl* unsafeToTensorImpl() const { return payload_.as_tensor.unsafeGetTensorImpl(); }
  template <class T>
  intrusive_ptr<T> toCustomClass() const;  // throws when the object is not a T
  template <class T>
  List<T> to_list_of() const;  // shares the list; throws when its elements are of another type
  template <class K, class V>
  Dict<K, V> to_dict_of() const;  // likewise
  template <class T>
  T to() const;  // any type that an operator may take or return
  template <class T>
  std::optional<T> toOptional() const {
    return isNone() ? std::nullopt : std::optional<T>(to<T>());
  }

  Tag tag() const { return tag_; }
  std::string tagKind() const;              // "Tensor", "Int", "GenericList", ...
  TypePtr type() const;                     // the type of the value as it stands: "int[]", "(int, Tensor)"
  bool has_type(const Type& wanted) const;  // may it be passed where a schema says `wanted`?

  // --- identity and memory
  size_t use_count() const;  // owners of what is pointed at; 1 for values held inside
  void* internalToPointer() const;
  // The same object. For None, numbers, devices and strings, which cannot change: the same value. An undefined
  // tensor is None.
  bool isSameIdentity(const IValue& other) const;
  bool is(const IValue& other) const { return isSameIdentity(other); }
  // Do they share memory that one could write? Tensors by their storage, the rest by their pointer. What is
  // inside a list is not looked at: overlaps() does that.
  bool isAliasOf(const IValue& other) const;
  bool overlaps(const IValue& other) const;  // isAliasOf for any two of their parts
  struct HashAliasedIValue {
    size_t operator()(const IValue& v) const;
  };
  struct CompAliasedIValues {
    bool operator()(const IValue& a, const IValue& b) const { return a.isAliasOf(b); }
  };
  using HashAliasedIValues = std::unordered_set<IValue, HashAliasedIValue, CompAliasedIValues>;
  void getSubValues(HashAliasedIValues& parts) const;  // adds this value and its parts; of each memory one
  // Calls `visitor` for this value and, while it says false, for the parts of it, their parts, ...
  void visit(const std::function<bool(const IValue&)>& visitor) const;

  // --- equality: by value; lists, tuples and dicts element by element. Tensors are equal when they are the same
  // tensor: comparing their elements is an operator's work (PyTorch runs `eq` here).
  friend bool operator==(const IValue& a, const IValue& b) { return a.equal_to(b); }
  IValue equals(const IValue& other) const { return equal_to(other); }
  static size_t hash(const IValue& v);  // equal values have equal hashes
  IValue hash() const { return static_cast<int64_t>(hash(*this)); }

 private:
  struct DeviceBits {
    int8_t type, index;
  };
  union Payload {
    Payload() {}
    ~Payload() {}
    int64_t as_int;  // Int and Bool, and what None compares
    double as_double;
    DeviceBits as_device;
    intrusive_ptr_target* as_ptr;
    Tensor as_tensor;
  };

  IValue(Tag tag, intrusive_ptr<intrusive_ptr_target> shared) noexcept : tag_(tag) {
    payload_.as_ptr = shared.release();
  }
  void copy_payload(const IValue& other) {
    if (isTensor())
      new (&payload_.as_tensor) Tensor(other.payload_.as_tensor);
    else if (isIntrusivePtr())
      payload_.as_ptr = intrusive_ptr<intrusive_ptr_target>::reclaim_copy(other.payload_.as_ptr).release();
    else
      payload_.as_int = other.payload_.as_int;
  }
  void steal_payload(IValue& other) noexcept {
    if (isTensor()) {
      new (&payload_.as_tensor) Tensor(std::move(other.payload_.as_tensor));
      other.payload_.as_tensor.~Tensor();
    } else {
      payload_.as_int = other.payload_.as_int;
    }
    other.tag_ = Tag::None;
    other.payload_.as_int = 0;
  }
  void destroy() noexcept {
    if (isTensor())
      payload_.as_tensor.~Tensor();
    else if (isIntrusivePtr())
      intrusive_ptr<intrusive_ptr_target>::reclaim(payload_.as_ptr).reset();
  }
  void check(Tag wanted) const {
    if (tag_ != wanted) [[unlikely]]
      throw_wrong_tag(wanted);
  }
  [[noreturn]] void throw_wrong_tag(Tag wanted) const;
  int64_t checked_enum(int64_t count, const char* name) const;  // an int in [0, count)
  bool is_list_of(TypeKind element) const;
  bool equal_to(const IValue& other) const;
  detail::ListImpl& list_impl() const;                                      // checks the tag
  intrusive_ptr<detail::ListImpl> list_impl_of(const Type& element) const;  // and the element type
  static IValue from_list_impl(intrusive_ptr<detail::ListImpl> impl) noexcept;
  detail::DictImpl& dict_impl() const;  // checks the tag
  intrusive_ptr<detail::DictImpl> dict_impl_of(const Type& key, const Type& value) const;
  static IValue from_dict_impl(intrusive_ptr<detail::DictImpl> impl) noexcept;
  [[noreturn]] void throw_wrong_class(const char* wanted) const;
  template <class T>
  friend class List;
  template <class K, class V>
  friend class Dict;
  friend struct WeakIValue;

  Payload payload_;
  Tag tag_;
};
static_assert(sizeof(IValue) == 16);

std::string to_string(
    const IValue& v);  // as schemas print defaults: "None", "True", "1.", "[1, 2]", "\"mean\""
std::ostream& operator<<(std::ostream& out, const IValue& v);

}  // namespace gb

#include "dispatcher/ivalue_allocator.h"   // IWYU pragma: keep: before the first vector of IValues
#include "dispatcher/ivalue_containers.h"  // IWYU pragma: keep: List, Tuple and the templates declared above
