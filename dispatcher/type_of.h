// getTypePtr<T>(): the schema type of a C++ type, as a kernel's signature is read. `const T&` and `T&` count
// as T.
//
//   Tensor -> Tensor          int64_t, int32_t -> int    double, float -> float     Scalar -> Scalar
//   optional<T> -> T?         ArrayRef, vector, List, array of T -> T[]             tuple<T...> -> (T, ...)
//   Dict<K, V> -> Dict(k, v)   Storage, Generator, Stream, Device, ScalarType, Layout, MemoryFormat -> themselves
//   IValue -> Any             intrusive_ptr<a custom class> -> AnyClassType, which stands for any class's name
// Source: ATen/core/jit_type.h (getTypePtr).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/generator.h"
#include "core/stream.h"
#include "core/tensor.h"
#include "dispatcher/types.h"

namespace gb {

class IValue;
struct CustomClassHolder;
template <class T>
class List;
template <class K, class V>
class Dict;

template <class T>
const TypePtr& getTypePtr();

namespace detail {

template <class T>
struct type_of {
  static_assert(sizeof(T) == 0, "this C++ type has no schema type: see the table in dispatcher/type_of.h");
};
template <TypeKind K>
struct type_of_atom {
  static const TypePtr& call() { return atom_type(K); }
};
template <>
struct type_of<Tensor> : type_of_atom<TypeKind::TensorType> {};
template <>
struct type_of<int64_t> : type_of_atom<TypeKind::IntType> {};
template <>
struct type_of<int32_t> : type_of_atom<TypeKind::IntType> {};
template <>
struct type_of<double> : type_of_atom<TypeKind::FloatType> {};
template <>
struct type_of<float> : type_of_atom<TypeKind::FloatType> {};
template <>
struct type_of<bool> : type_of_atom<TypeKind::BoolType> {};
template <>
struct type_of<Scalar> : type_of_atom<TypeKind::NumberType> {};
template <>
struct type_of<std::string> : type_of_atom<TypeKind::StringType> {};
template <>
struct type_of<std::string_view> : type_of_atom<TypeKind::StringType> {};
template <>
struct type_of<const char*> : type_of_atom<TypeKind::StringType> {};
template <>
struct type_of<Device> : type_of_atom<TypeKind::DeviceObjType> {};
template <>
struct type_of<ScalarType> : type_of_atom<TypeKind::ScalarTypeType> {};
template <>
struct type_of<Layout> : type_of_atom<TypeKind::LayoutType> {};
template <>
struct type_of<MemoryFormat> : type_of_atom<TypeKind::MemoryFormatType> {};
template <>
struct type_of<Storage> : type_of_atom<TypeKind::StorageType> {};
template <>
struct type_of<Generator> : type_of_atom<TypeKind::GeneratorType> {};
template <>
struct type_of<Stream> : type_of_atom<TypeKind::StreamObjType> {};
template <class T>
struct type_of<intrusive_ptr<T>> : type_of_atom<TypeKind::AnyClassType> {
  static_assert(std::is_base_of_v<CustomClassHolder, T>, "a custom class derives from CustomClassHolder");
};
template <>
struct type_of<IValue> : type_of_atom<TypeKind::AnyType> {};
template <>
struct type_of<std::nullopt_t> : type_of_atom<TypeKind::NoneType> {};

template <class T>
struct type_of_list {
  static const TypePtr& call() {
    static const TypePtr type = ListType::create(getTypePtr<T>());
    return type;
  }
};
template <class T>
struct type_of<ArrayRef<T>> : type_of_list<T> {};
template <class T>
struct type_of<std::vector<T>> : type_of_list<T> {};
template <class T>
struct type_of<List<T>> : type_of_list<T> {};
template <class T, size_t N>
struct type_of<std::array<T, N>> : type_of_list<T> {};
template <class T>
struct type_of<std::optional<T>> {
  static const TypePtr& call() {
    static const TypePtr type = OptionalType::create(getTypePtr<T>());
    return type;
  }
};
template <>
struct type_of<OptionalIntArrayRef> : type_of<std::optional<IntArrayRef>> {};
template <class K, class V>
struct type_of<Dict<K, V>> {
  static const TypePtr& call() {
    static const TypePtr type = DictType::create(getTypePtr<K>(), getTypePtr<V>());
    return type;
  }
};
template <class... Ts>
struct type_of<std::tuple<Ts...>> {
  static const TypePtr& call() {
    static const TypePtr type = TupleType::create({getTypePtr<Ts>()...});
    return type;
  }
};

}  // namespace detail

template <class T>
const TypePtr& getTypePtr() {
  return detail::type_of<std::remove_cvref_t<T>>::call();
}

}  // namespace gb
