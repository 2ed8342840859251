// When two IValues are the same object, share memory, or are equal; their hash; their parts.
// Source of the rules: ATen/core/ivalue.cpp.
#include <functional>

#include "core/error.h"
#include "dispatcher/ivalue.h"

namespace gb {
namespace {

size_t combine(size_t a, size_t b) { return a * 0x9e3779b97f4a7c15ULL + b; }

}  // namespace

size_t IValue::use_count() const {
  if (isTensor()) return payload_.as_tensor.use_count();
  if (!isIntrusivePtr()) return 1;
  // Less the one just made; nobody owns what a Storage without memory points to.
  const auto shared = intrusive_ptr<intrusive_ptr_target>::reclaim_copy(payload_.as_ptr);
  return shared ? shared.use_count() - 1 : 0;
}

void* IValue::internalToPointer() const {
  if (isTensor()) return payload_.as_tensor.defined() ? payload_.as_tensor.unsafeGetTensorImpl() : nullptr;
  check(isIntrusivePtr() ? tag_ : Tag::Tensor);
  return payload_.as_ptr;
}

bool IValue::isSameIdentity(const IValue& other) const {
  const auto is_nothing = [](const IValue& v) { return v.isNone() || (v.isTensor() && !v.toTensor().defined()); };
  if (is_nothing(*this) || is_nothing(other)) return is_nothing(*this) && is_nothing(other);
  if (tag_ != other.tag_) return false;
  if (isTensor()) return payload_.as_tensor.is_same(other.payload_.as_tensor);
  if (isStream() || isString() || !isIntrusivePtr()) return equal_to(other);
  return payload_.as_ptr == other.payload_.as_ptr;
}

bool IValue::isAliasOf(const IValue& other) const {
  if (tag_ != other.tag_) return false;
  if (isTensor()) {
    const Tensor &a = payload_.as_tensor, &b = other.payload_.as_tensor;
    return a.has_storage() && b.has_storage() ? a.is_alias_of(b) : a.is_same(b);
  }
  return isIntrusivePtr() && payload_.as_ptr == other.payload_.as_ptr;
}

size_t IValue::HashAliasedIValue::operator()(const IValue& v) const {
  if (v.isTensor() && v.toTensor().has_storage())
    return std::hash<const void*>()(v.toTensor().storage().unsafeGetStorageImpl());
  return std::hash<const void*>()(v.isPtrType() ? v.internalToPointer() : nullptr);
}

void IValue::visit(const std::function<bool(const IValue&)>& visitor) const {
  if (visitor(*this)) return;
  if (isList())
    for (const IValue& v : toListRef()) v.visit(visitor);
  if (isTuple())
    for (const IValue& v : toTupleRef().elements()) v.visit(visitor);
  if (isGenericDict())
    for (const auto& [key, value] : dict_impl().entries) key.visit(visitor), value.visit(visitor);
}

void IValue::getSubValues(HashAliasedIValues& parts) const {
  visit([&parts](const IValue& v) {
    if (v.isPtrType() && !v.isString()) parts.insert(v);  // numbers and strings cannot be written
    return false;
  });
}

bool IValue::overlaps(const IValue& other) const {
  HashAliasedIValues mine, theirs;
  getSubValues(mine);
  other.getSubValues(theirs);
  for (const IValue& v : mine)
    if (theirs.count(v)) return true;
  return false;
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
    case Tag::Stream:
      return toStream() == other.toStream();
    case Tag::Dict:
      return dict_impl().equals(other.dict_impl());
    case Tag::Storage:
    case Tag::Generator:
    case Tag::Object:
      return payload_.as_ptr == other.payload_.as_ptr;
  }
  return false;
}

size_t IValue::hash(const IValue& v) {
  switch (v.tag_) {
    case Tag::None:
      return 0;
    case Tag::Tensor:
      return std::hash<const void*>()(v.payload_.as_tensor.unsafeGetTensorImpl());
    case Tag::Double:
      return std::hash<double>()(v.payload_.as_double);
    case Tag::Int:
    case Tag::Bool:
      return std::hash<int64_t>()(v.payload_.as_int);
    case Tag::Device:
      return std::hash<Device>()(v.toDevice());
    case Tag::String:
      return std::hash<std::string>()(v.toStringRef());
    case Tag::Stream:
      return v.toStream().hash();
    case Tag::Storage:
    case Tag::Generator:
    case Tag::Object:
      return std::hash<const void*>()(v.payload_.as_ptr);
    case Tag::Dict: {
      size_t sum = 0;  // a sum: the order of the entries does not count
      for (const auto& [key, value] : v.dict_impl().entries) sum += combine(hash(key), hash(value));
      return sum;
    }
    case Tag::List:
    case Tag::Tuple:
      break;
  }
  size_t seed = static_cast<size_t>(v.tag_);
  for (const IValue& part : v.isList() ? v.list_impl().list : v.toTupleRef().elements())
    seed = combine(seed, hash(part));
  return seed;
}

}  // namespace gb
