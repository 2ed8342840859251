#include "dispatcher/ivalue.h"

#include <fmt/format.h>

#include <functional>

#include "core/error.h"

namespace gb {
namespace {

constexpr const char* kTagNames[] = {"None",   "Tensor", "Double", "Int",  "Bool",
                                     "Device", "String", "List",   "Tuple"};
const char* tag_name(IValue::Tag tag) { return kTagNames[static_cast<size_t>(tag)]; }

size_t combine(size_t a, size_t b) { return a * 0x9e3779b97f4a7c15ULL + b; }

}  // namespace

IValue::IValue(const Scalar& s) noexcept : IValue() {
  if (s.isFloatingPoint())
    *this = IValue(s.toDouble());
  else if (s.isBoolean())
    *this = IValue(s.toBool());
  else
    *this = IValue(s.toLong());
}
IValue::IValue(std::string_view text) : IValue(Tag::String, make_intrusive<ivalue::ConstantString>(text)) {}
IValue::IValue(intrusive_ptr<ivalue::Tuple> tuple) noexcept : IValue(Tag::Tuple, std::move(tuple)) {}

IValue IValue::from_list_impl(intrusive_ptr<detail::ListImpl> impl) noexcept {
  return IValue(Tag::List, std::move(impl));
}

void IValue::throw_wrong_tag(Tag wanted) const {
  GB_THROW(
      TypeError, .what = fmt::format("IValue: expected {} but got {}", tag_name(wanted), tag_name(tag_)),
      .cause = isTensor() ? std::string("the value is a tensor")
                          : fmt::format("the value is {}", gb::to_string(*this)),
      .repair = fmt::format("pass a value of kind {}, or ask with is...() before to...()", tag_name(wanted)),
      .chapter = chapters::kDispatch);
}

Scalar IValue::toScalar() const {
  if (isDouble()) return payload_.as_double;
  if (isBool()) return payload_.as_int != 0;
  GB_CHECK_OR_THROW(isInt(), TypeError,
                    .what = fmt::format("IValue: expected Scalar but got {}", tag_name(tag_)),
                    .cause = "a Scalar is an Int, a Double or a Bool", .repair = "pass a number",
                    .chapter = chapters::kDispatch);
  return payload_.as_int;
}

int64_t IValue::checked_enum(int64_t count, const char* name) const {
  const int64_t v = toInt();
  GB_CHECK_OR_THROW(v >= 0 && v < count, ValueError, .what = fmt::format("IValue: the int is not a {}", name),
                    .cause = fmt::format("{} stands for none of the {} values of {}", v, count, name),
                    .repair = fmt::format("make the value from a gb::{}", name),
                    .chapter = chapters::kDispatch);
  return v;
}
ScalarType IValue::toScalarType() const {
  return static_cast<ScalarType>(checked_enum(static_cast<int64_t>(ScalarType::Undefined) + 1, "ScalarType"));
}
Layout IValue::toLayout() const { return static_cast<Layout>(checked_enum(1, "Layout")); }
MemoryFormat IValue::toMemoryFormat() const {
  return static_cast<MemoryFormat>(
      checked_enum(static_cast<int64_t>(MemoryFormat::Preserve) + 1, "MemoryFormat"));
}

const std::string& IValue::toStringRef() const {
  check(Tag::String);
  return static_cast<const ivalue::ConstantString*>(payload_.as_ptr)->string();
}

detail::ListImpl& IValue::list_impl() const {
  check(Tag::List);
  return *static_cast<detail::ListImpl*>(payload_.as_ptr);
}
intrusive_ptr<detail::ListImpl> IValue::list_impl_of(const Type& element) const {
  detail::ListImpl& impl = list_impl();
  GB_CHECK_OR_THROW(
      element.kind() == TypeKind::AnyType || impl.elementType->equals(element), TypeError,
      .what = fmt::format("IValue: expected a list of `{}` but got a list of `{}`", element.str(),
                          impl.elementType->str()),
      .cause = fmt::format("the list has {} elements; a List shares them, so they cannot be converted",
                           impl.list.size()),
      .repair = "read it as a std::vector, which copies the elements, or make the list with the right type",
      .chapter = chapters::kDispatch);
  return intrusive_ptr<detail::ListImpl>::reclaim_copy(&impl);
}
bool IValue::is_list_of(TypeKind element) const {
  return isList() && list_impl().elementType->kind() == element;
}
ArrayRef<IValue> IValue::toListRef() const { return list_impl().list; }
List<IValue> IValue::toList() const { return to_list_of<IValue>(); }
List<int64_t> IValue::toIntList() const { return to_list_of<int64_t>(); }
List<double> IValue::toDoubleList() const { return to_list_of<double>(); }
List<bool> IValue::toBoolList() const { return to_list_of<bool>(); }
List<Tensor> IValue::toTensorList() const { return to_list_of<Tensor>(); }
std::vector<int64_t> IValue::toIntVector() const { return to<std::vector<int64_t>>(); }
std::vector<double> IValue::toDoubleVector() const { return to<std::vector<double>>(); }
std::vector<Tensor> IValue::toTensorVector() const { return to<std::vector<Tensor>>(); }

const ivalue::Tuple& IValue::toTupleRef() const {
  check(Tag::Tuple);
  return *static_cast<const ivalue::Tuple*>(payload_.as_ptr);
}
intrusive_ptr<ivalue::Tuple> IValue::toTuple() const {
  check(Tag::Tuple);
  return intrusive_ptr<ivalue::Tuple>::reclaim_copy(static_cast<ivalue::Tuple*>(payload_.as_ptr));
}

std::string IValue::tagKind() const { return tag_name(tag_); }

TypePtr IValue::type() const {
  switch (tag_) {
    case Tag::None:
      return NoneType::get();
    case Tag::Tensor:
      return TensorType::get();
    case Tag::Double:
      return FloatType::get();
    case Tag::Int:
      return IntType::get();
    case Tag::Bool:
      return BoolType::get();
    case Tag::Device:
      return DeviceObjType::get();
    case Tag::String:
      return StringType::get();
    case Tag::List:
      return ListType::create(list_impl().elementType);
    case Tag::Tuple:
      break;
  }
  std::vector<TypePtr> parts;
  for (const IValue& v : toTupleRef().elements()) parts.push_back(v.type());
  return TupleType::create(std::move(parts));
}

bool IValue::has_type(const Type& wanted) const {
  switch (wanted.kind()) {
    case TypeKind::OptionalType:
      return isNone() || has_type(*wanted.containedType(0));
    case TypeKind::ListType:  // element by element: kernels that take a vector or an ArrayRef read them one
                              // by one
      if (!isList()) return false;
      for (const IValue& v : toListRef())
        if (!v.has_type(*wanted.containedType(0))) return false;
      return true;
    case TypeKind::TupleType: {
      if (!isTuple() || toTupleRef().size() != wanted.containedTypes().size()) return false;
      for (size_t i = 0; i < wanted.containedTypes().size(); ++i)
        if (!toTupleRef().elements()[i].has_type(*wanted.containedType(i))) return false;
      return true;
    }
    default:
      return type()->isSubtypeOf(wanted);
  }
}

size_t IValue::use_count() const {
  if (isTensor()) return payload_.as_tensor.use_count();
  if (!isIntrusivePtr()) return 1;
  return intrusive_ptr<intrusive_ptr_target>::reclaim_copy(payload_.as_ptr).use_count() -
         1;  // less the one just made
}

bool IValue::is(const IValue& other) const {
  if (tag_ != other.tag_) return false;
  if (isTensor()) return payload_.as_tensor.is_same(other.payload_.as_tensor);
  return isIntrusivePtr() ? payload_.as_ptr == other.payload_.as_ptr : equal_to(other);
}

bool IValue::isAliasOf(const IValue& other) const {
  const auto any_part = [](const std::vector<IValue>& parts, const IValue& whole) {
    for (const IValue& part : parts)
      if (part.isAliasOf(whole)) return true;
    return false;
  };
  if (isTensor() && other.isTensor()) {
    const Tensor &a = payload_.as_tensor, &b = other.payload_.as_tensor;
    return a.defined() && b.defined() &&
           (a.is_same(b) || (a.has_storage() && b.has_storage() && a.is_alias_of(b)));
  }
  if (isList() && is(other)) return true;
  if (isList()) return any_part(list_impl().list, other);
  if (isTuple()) return any_part(toTupleRef().elements(), other);
  return (other.isList() || other.isTuple()) && other.isAliasOf(*this);
}

void* IValue::internalToPointer() const {
  if (isTensor()) return payload_.as_tensor.defined() ? payload_.as_tensor.unsafeGetTensorImpl() : nullptr;
  check(isIntrusivePtr() ? tag_ : Tag::Tensor);
  return payload_.as_ptr;
}

bool IValue::equal_to(const IValue& other) const {
  if (tag_ != other.tag_) return false;
  switch (tag_) {
    case Tag::None:
      return true;
    case Tag::Tensor:
      return payload_.as_tensor.is_same(other.payload_.as_tensor);
    case Tag::Double:
      return payload_.as_double == other.payload_.as_double;
    case Tag::Int:
    case Tag::Bool:
      return payload_.as_int == other.payload_.as_int;
    case Tag::Device:
      return toDevice() == other.toDevice();
    case Tag::String:
      return toStringRef() == other.toStringRef();
    case Tag::List:
      return list_impl().list == other.list_impl().list;
    case Tag::Tuple:
      return toTupleRef().elements() == other.toTupleRef().elements();
  }
  return false;
}

size_t IValue::hash() const {
  switch (tag_) {
    case Tag::None:
      return 0;
    case Tag::Tensor:
      return std::hash<const void*>()(payload_.as_tensor.unsafeGetTensorImpl());
    case Tag::Double:
      return std::hash<double>()(payload_.as_double);
    case Tag::Int:
    case Tag::Bool:
      return std::hash<int64_t>()(payload_.as_int);
    case Tag::Device:
      return std::hash<Device>()(toDevice());
    case Tag::String:
      return std::hash<std::string>()(toStringRef());
    case Tag::List:
    case Tag::Tuple:
      break;
  }
  size_t seed = static_cast<size_t>(tag_);
  for (const IValue& v : isList() ? list_impl().list : toTupleRef().elements())
    seed = combine(seed, v.hash());
  return seed;
}

}  // namespace gb
