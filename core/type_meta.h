// TypeMeta: the dtype as Tensor::dtype() returns it, comparable with a ScalarType. Names follow c10 and caffe2.
#pragma once

#include "core/bfloat16.h"
#include "core/half.h"
#include "core/scalar_type.h"

namespace gb {

// The C++ type of an element -> its ScalarType: CppTypeToScalarType<float>::value == kFloat.
template <class T>
struct CppTypeToScalarType;
#define GB_CPP_TYPE(T, S) \
  template <>             \
  struct CppTypeToScalarType<T> { static constexpr ScalarType value = S; };
GB_CPP_TYPE(float, kFloat)
GB_CPP_TYPE(double, kDouble)
GB_CPP_TYPE(Half, kHalf)
GB_CPP_TYPE(BFloat16, kBFloat16)
GB_CPP_TYPE(int64_t, kLong)
GB_CPP_TYPE(int32_t, kInt)
GB_CPP_TYPE(bool, kBool)
#undef GB_CPP_TYPE

class TypeMeta {
 public:
  constexpr TypeMeta() = default;
  constexpr TypeMeta(ScalarType type) : type_(type) {}
  template <class T>
  static constexpr TypeMeta Make() { return CppTypeToScalarType<T>::value; }

  constexpr ScalarType toScalarType() const { return type_; }
  constexpr size_t itemsize() const { return elementSize(type_); }
  const char* name() const;  // "float", "long", "c10::Half"-like names without namespace
  friend constexpr bool operator==(TypeMeta a, TypeMeta b) { return a.type_ == b.type_; }
  friend constexpr bool operator==(TypeMeta a, ScalarType b) { return a.type_ == b; }

 private:
  ScalarType type_ = ScalarType::Undefined;
};

constexpr TypeMeta scalarTypeToTypeMeta(ScalarType t) { return t; }
constexpr ScalarType typeMetaToScalarType(TypeMeta t) { return t.toScalarType(); }

// The dtype of factories that are given none; float32 at start. set_ accepts floating types only.
TypeMeta get_default_dtype();
void set_default_dtype(TypeMeta dtype);

}  // namespace gb
