#include "dispatcher/ivalue.h"

#include <fmt/format.h>

#include <typeinfo>

#include "core/error.h"
#include "dispatcher/function_traits.h"

namespace gb {
namespace {

constexpr const char* kTagNames[] = {"None",   "Tensor",      "Double",  "Int",       "Bool",
                                     "Device", "String",      "GenericList", "Tuple", "Storage",
                                     "Generator", "Stream",   "GenericDict", "Object"};
const char* tag_name(IValue::Tag tag) { return kTagNames[static_cast<size_t>(tag)]; }

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
IValue::IValue(intrusive_ptr<ivalue::ConstantString> text) noexcept : IValue(Tag::String, std::move(text)) {}
IValue::IValue(const Storage& storage) noexcept
    : IValue(Tag::Storage, intrusive_ptr<StorageImpl>::reclaim_copy(storage.unsafeGetStorageImpl())) {}
IValue::IValue(const Stream& stream) : IValue(Tag::Stream, make_intrusive<ivalue::StreamHolder>(stream)) {}

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

Storage IValue::toStorage() const {
  check(Tag::Storage);
  return intrusive_ptr<StorageImpl>::reclaim_copy(static_cast<StorageImpl*>(payload_.as_ptr));
}
Generator IValue::toGenerator() const {
  check(Tag::Generator);
  return Generator(intrusive_ptr<GeneratorImpl>::reclaim_copy(static_cast<GeneratorImpl*>(payload_.as_ptr)));
}
Stream IValue::toStream() const {
  check(Tag::Stream);
  return static_cast<const ivalue::StreamHolder*>(payload_.as_ptr)->stream;
}
void IValue::throw_wrong_class(const char* wanted) const {
  GB_THROW(TypeError, .what = fmt::format("IValue: expected an object of class {}", demangle(wanted)),
           .cause = fmt::format("it is an object of class {}", demangle(typeid(*payload_.as_ptr).name())),
           .repair = "ask for the class that the object was made as, or for one of its bases",
           .chapter = chapters::kDispatch);
}

intrusive_ptr<ivalue::ConstantString> IValue::toString() const {
  check(Tag::String);
  return intrusive_ptr<ivalue::ConstantString>::reclaim_copy(
      static_cast<ivalue::ConstantString*>(payload_.as_ptr));
}
const std::string& IValue::toStringRef() const {
  check(Tag::String);
  return static_cast<const ivalue::ConstantString*>(payload_.as_ptr)->string();
}
std::optional<std::reference_wrapper<const std::string>> IValue::toOptionalStringRef() const {
  return isNone() ? std::nullopt : std::optional(std::cref(toStringRef()));
}

detail::ListImpl& IValue::list_impl() const {
  check(Tag::List);
  return *static_cast<detail::ListImpl*>(payload_.as_ptr);
}
intrusive_ptr<detail::ListImpl> IValue::list_impl_of(const Type& element) const {
  detail::ListImpl& impl = list_impl();
  detail::check_element_type(impl, element);
  return intrusive_ptr<detail::ListImpl>::reclaim_copy(&impl);
}
bool IValue::is_list_of(TypeKind element) const {
  return isList() && list_impl().elementType->kind() == element;
}
bool IValue::isOptionalTensorList() const {
  return is_list_of(TypeKind::OptionalType) &&
         list_impl().elementType->containedType(0)->kind() == TypeKind::TensorType;
}
ArrayRef<IValue> IValue::toListRef() const { return list_impl().list; }
List<IValue> IValue::toList() const { return to_list_of<IValue>(); }
List<int64_t> IValue::toIntList() const { return to_list_of<int64_t>(); }
List<double> IValue::toDoubleList() const { return to_list_of<double>(); }
List<bool> IValue::toBoolList() const { return to_list_of<bool>(); }
List<Tensor> IValue::toTensorList() const { return to_list_of<Tensor>(); }
List<std::optional<Tensor>> IValue::toOptionalTensorList() const { return to_list_of<std::optional<Tensor>>(); }
std::vector<int64_t> IValue::toIntVector() const { return to<std::vector<int64_t>>(); }
std::vector<double> IValue::toDoubleVector() const { return to<std::vector<double>>(); }
std::vector<Tensor> IValue::toTensorVector() const { return to<std::vector<Tensor>>(); }
std::vector<std::optional<Tensor>> IValue::toOptionalTensorVector() const {
  return to<std::vector<std::optional<Tensor>>>();
}

IValue IValue::from_dict_impl(intrusive_ptr<detail::DictImpl> impl) noexcept {
  return IValue(Tag::Dict, std::move(impl));
}
detail::DictImpl& IValue::dict_impl() const {
  check(Tag::Dict);
  return *static_cast<detail::DictImpl*>(payload_.as_ptr);
}
intrusive_ptr<detail::DictImpl> IValue::dict_impl_of(const Type& key, const Type& value) const {
  detail::DictImpl& impl = dict_impl();
  detail::check_dict_types(impl, key, value);
  return intrusive_ptr<detail::DictImpl>::reclaim_copy(&impl);
}
Dict<IValue, IValue> IValue::toGenericDict() const { return to_dict_of<IValue, IValue>(); }

const ivalue::Tuple& IValue::toTupleRef() const {
  check(Tag::Tuple);
  return *static_cast<const ivalue::Tuple*>(payload_.as_ptr);
}
intrusive_ptr<ivalue::Tuple> IValue::toTuple() const {
  check(Tag::Tuple);
  return intrusive_ptr<ivalue::Tuple>::reclaim_copy(static_cast<ivalue::Tuple*>(payload_.as_ptr));
}

std::string IValue::tagKind() const { return tag_name(tag_); }

}  // namespace gb
