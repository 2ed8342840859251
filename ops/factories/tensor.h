// tensor(...): a tensor from C++ values: a number, a braced list (nested too), a vector or an ArrayRef.
//
//   tensor(2.5)                 0-dim, the default dtype
//   tensor({{1, 2}, {3, 4}})    2 x 2, int64
//   tensor({true, false})       bool
// Integers give int64, floating numbers the default dtype, bools bool; options.dtype converts. Lists of one
// level must have the same length and the same kind of number. Source:
// torch/csrc/api/include/torch/detail/TensorDataContainer.h.
#pragma once

#include <concepts>
#include <initializer_list>
#include <vector>

#include "core/tensor.h"

namespace gb {
namespace detail {

// What the argument of tensor() converts to: the values in row-major order, and the shape.
class TensorDataContainer {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> TensorDataContainer(T value)
      : values_{Scalar(value)}, type_(Scalar(value).type()) {}
  TensorDataContainer(Half value) : TensorDataContainer(static_cast<double>(static_cast<float>(value))) {}
  TensorDataContainer(BFloat16 value) : TensorDataContainer(static_cast<double>(static_cast<float>(value))) {}
  TensorDataContainer(std::initializer_list<TensorDataContainer> items);  // throws for ragged or mixed lists
  template <class T>
  TensorDataContainer(ArrayRef<T> values) : sizes_{static_cast<int64_t>(values.size())}, type_(type_of<T>()) {
    values_.reserve(values.size());
    for (const T& v : values) values_.emplace_back(v);
  }
  template <class T>
  TensorDataContainer(const std::vector<T>& values)
      : sizes_{static_cast<int64_t>(values.size())}, type_(type_of<T>()) {
    values_.reserve(values.size());
    for (const T v : values) values_.emplace_back(v);  // by value: vector<bool> has no references
  }

  const std::vector<int64_t>& sizes() const { return sizes_; }
  const std::vector<Scalar>& values() const { return values_; }
  ScalarType type() const { return type_; }  // Double, Long or Bool; Undefined for an empty braced list

 private:
  template <class T>
  static ScalarType type_of() {
    return Scalar(T{}).type();
  }

  std::vector<int64_t> sizes_;
  std::vector<Scalar> values_;
  ScalarType type_ = ScalarType::Undefined;
};

}  // namespace detail

Tensor tensor(const detail::TensorDataContainer& data, const TensorOptions& options = {});

}  // namespace gb
