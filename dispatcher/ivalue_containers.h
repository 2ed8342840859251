// The parts of IValue that are templates: making one from lists, dicts, arrays and tuples, and IValue::to<T>().
// Included by ivalue.h; there is no reason to include it by itself.
#pragma once

#include <array>

#include "dispatcher/dict.h"
#include "dispatcher/ivalue.h"
#include "dispatcher/list.h"

namespace gb {

namespace ivalue {
// An immutable row of values of any types, shared.
struct Tuple final : intrusive_ptr_target {
  explicit Tuple(std::vector<IValue> elements) : elements_(std::move(elements)) {}
  static intrusive_ptr<Tuple> create(std::vector<IValue> elements) {
    return make_intrusive<Tuple>(std::move(elements));
  }
  const std::vector<IValue>& elements() const { return elements_; }
  size_t size() const { return elements_.size(); }

 private:
  std::vector<IValue> elements_;
};

struct ConstantString final : intrusive_ptr_target {
  explicit ConstantString(std::string_view text) : text_(text) {}
  static intrusive_ptr<ConstantString> create(std::string_view text) {
    return make_intrusive<ConstantString>(text);
  }
  const std::string& string() const { return text_; }

 private:
  std::string text_;
};

struct StreamHolder final : intrusive_ptr_target {  // a Stream is larger than a payload
  explicit StreamHolder(const Stream& s) : stream(s) {}
  const Stream stream;
};
}  // namespace ivalue

namespace detail {

[[noreturn]] void throw_wrong_length(const IValue& v, size_t wanted);  // a tuple or array of another size

// IValue -> T, one specialisation per kind of T.
template <class T>
struct ivalue_to;
#define GB_IVALUE_TO(T, expr)                       \
  template <>                                       \
  struct ivalue_to<T> {                             \
    static T call(const IValue& v) { return expr; } \
  };
GB_IVALUE_TO(IValue, v)
GB_IVALUE_TO(Tensor, v.toTensor())
GB_IVALUE_TO(double, v.toDouble())
GB_IVALUE_TO(float, static_cast<float>(v.toDouble()))
GB_IVALUE_TO(int64_t, v.toInt())
GB_IVALUE_TO(int32_t, Scalar(v.toInt()).toInt())
GB_IVALUE_TO(bool, v.toBool())
GB_IVALUE_TO(Scalar, v.toScalar())
GB_IVALUE_TO(std::string, v.toStringRef())
GB_IVALUE_TO(std::string_view, v.toStringView())
GB_IVALUE_TO(Device, v.toDevice())
GB_IVALUE_TO(ScalarType, v.toScalarType())
GB_IVALUE_TO(Layout, v.toLayout())
GB_IVALUE_TO(MemoryFormat, v.toMemoryFormat())
GB_IVALUE_TO(Storage, v.toStorage())
GB_IVALUE_TO(Generator, v.toGenerator())
GB_IVALUE_TO(Stream, v.toStream())
GB_IVALUE_TO(intrusive_ptr<ivalue::Tuple>, v.toTuple())
#undef GB_IVALUE_TO

template <std::derived_from<CustomClassHolder> T>
struct ivalue_to<intrusive_ptr<T>> {
  static intrusive_ptr<T> call(const IValue& v) { return v.toCustomClass<T>(); }
};
template <class T>
struct ivalue_to<std::optional<T>> {
  static std::optional<T> call(const IValue& v) { return v.toOptional<T>(); }
};
template <class T>
struct ivalue_to<std::vector<T>> {
  static std::vector<T> call(const IValue& v) {
    const ArrayRef<IValue> from = v.toListRef();
    std::vector<T> to;
    to.reserve(from.size());
    for (const IValue& element : from) to.push_back(element.to<T>());
    return to;
  }
};
template <class T, size_t N>
struct ivalue_to<std::array<T, N>> {
  static std::array<T, N> call(const IValue& v) {
    const ArrayRef<IValue> from = v.toListRef();
    if (from.size() != N) throw_wrong_length(v, N);
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return std::array<T, N>{from[I].template to<T>()...};
    }
    (std::make_index_sequence<N>());
  }
};
template <class... Ts>
struct ivalue_to<std::tuple<Ts...>> {
  template <size_t... I>
  static std::tuple<Ts...> unpack(const std::vector<IValue>& from, std::index_sequence<I...>) {
    return {from[I].template to<Ts>()...};
  }
  static std::tuple<Ts...> call(const IValue& v) {
    const std::vector<IValue>& from = v.toTupleRef().elements();
    if (from.size() != sizeof...(Ts)) throw_wrong_length(v, sizeof...(Ts));
    return unpack(from, std::index_sequence_for<Ts...>());
  }
};

}  // namespace detail

template <class K, class V>
IValue::IValue(Dict<K, V> dict) noexcept : IValue(from_dict_impl(dict.impl_)) {}
template <class T>
IValue::IValue(List<T> list) noexcept : IValue(from_list_impl(list.impl_)) {}
template <class T>
IValue::IValue(ArrayRef<T> values) : IValue(List<T>(values)) {}
template <class T>
IValue::IValue(const std::vector<T>& values) : IValue(List<T>(values)) {}
template <class T, size_t N>
IValue::IValue(const std::array<T, N>& values) : IValue(ArrayRef<T>(values)) {}
template <class... Ts>
IValue::IValue(std::tuple<Ts...> values)
    : IValue(std::apply(
          [](auto&... v) { return ivalue::Tuple::create(std::vector<IValue>{IValue(std::move(v))...}); },
          values)) {}

namespace detail {
// The list itself is shared; its element type must be the one asked for (Any takes every list).
template <class T>
struct ivalue_to<List<T>> {
  static List<T> call(const IValue& v) { return v.to_list_of<T>(); }
};
template <class K, class V>
struct ivalue_to<Dict<K, V>> {
  static Dict<K, V> call(const IValue& v) { return v.to_dict_of<K, V>(); }
};
}  // namespace detail

template <class T>
List<T> IValue::to_list_of() const {
  return List<T>(list_impl_of(*List<T>::element_type()));
}
template <class K, class V>
Dict<K, V> IValue::to_dict_of() const {
  return Dict<K, V>(dict_impl_of(*Dict<K, V>::key_type_ptr(), *Dict<K, V>::value_type_ptr()));
}
template <class T>
intrusive_ptr<T> IValue::toCustomClass() const {
  check(Tag::Object);
  T* const object = dynamic_cast<T*>(payload_.as_ptr);
  if (!object) throw_wrong_class(typeid(T).name());
  return intrusive_ptr<T>::reclaim_copy(object);
}
template <class T>
T IValue::to() const {
  return detail::ivalue_to<T>::call(*this);
}

}  // namespace gb
