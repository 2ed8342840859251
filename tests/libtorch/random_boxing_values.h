// RandomValues<Api>: random values of every type that a schema may name, and what they look like written down
// bit for bit. The text is the same for both libraries: a tensor is its number in a pool.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/dice.h"

namespace gb::tests::boxing {

template <class Api>
class RandomValues {
 protected:
  using Tensor = typename Api::Tensor;
  using Scalar = typename Api::Scalar;
  using IValue = typename Api::IValue;
  using TensorList = typename Api::TensorList;
  using IntArrayRef = typename Api::IntArrayRef;
  using DoubleArrayRef = typename Api::template ArrayRef<double>;
  template <class T>
  using List = typename Api::template List<T>;

  explicit RandomValues(uint64_t seed) : dice_(seed) {
    for (int i = 0; i < 4; ++i)
      pool_.push_back(Api::make_tensor(typename Api::DispatchKeySet(Api::DispatchKey::CPU)));
  }

  // What holds an argument of the parameter type T.
  template <class T>
  struct owned {
    using type = std::remove_cvref_t<T>;
  };
  template <class T>
  struct owned<typename Api::template ArrayRef<T>> {
    using type = std::vector<T>;
  };
  template <class T>
  using owned_t = typename owned<T>::type;

  // --- random values: the edges of each type, and between them
  int64_t random_int() {
    switch (dice_.below(6)) {
      case 0:
        return std::numeric_limits<int64_t>::min();
      case 1:
        return std::numeric_limits<int64_t>::max();
      case 2:
        return dice_.below(3) - 1;
      default:
        return static_cast<int64_t>(random_bits());
    }
  }
  uint64_t random_bits() {
    uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 16 | static_cast<uint64_t>(dice_.below(1 << 16));
    return bits;
  }
  double random_double() {
    switch (dice_.below(8)) {
      case 0:
        return -0.0;
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return std::bit_cast<double>(uint64_t{0x7ff8000000000000} |
                                     random_bits() >> 14);  // a quiet NaN with a payload
      case 3:
        return std::numeric_limits<double>::denorm_min();
      default:
        return std::ldexp(static_cast<double>(dice_.below(1 << 30)), dice_.below(200) - 100);
    }
  }
  const std::string& random_text() {
    std::string text;
    for (int n = dice_.below(12); n > 0; --n)
      text += static_cast<char>(dice_.below(3) ? dice_.below(256) : 0);
    texts_.push_back(std::make_unique<std::string>(text));  // outlives the views of it
    return *texts_.back();
  }
  Tensor random_tensor() { return dice_.below(8) ? pool_[static_cast<size_t>(dice_.below(4))] : Tensor(); }

  template <class T>
  struct tag {};
  int64_t make(tag<int64_t>) { return random_int(); }
  double make(tag<double>) { return random_double(); }
  bool make(tag<bool>) { return dice_.below(2) == 1; }
  std::string make(tag<std::string>) { return random_text(); }
  std::string_view make(tag<std::string_view>) { return random_text(); }
  Tensor make(tag<Tensor>) { return random_tensor(); }
  Scalar make(tag<Scalar>) {
    switch (dice_.below(3)) {
      case 0:
        return Scalar(random_int());
      case 1:
        return Scalar(random_double());
      default:
        return Scalar(dice_.below(2) == 1);
    }
  }
  template <class T>
  std::optional<T> make(tag<std::optional<T>>) {
    if (dice_.below(3) == 0) return std::nullopt;
    return make(tag<T>());
  }
  std::optional<Tensor> make(
      tag<std::optional<Tensor>>) {  // an undefined tensor and None are one thing to some crossings
    if (dice_.below(3) == 0) return std::nullopt;
    return pool_[static_cast<size_t>(dice_.below(4))];
  }
  template <class T>
  std::vector<T> make(tag<std::vector<T>>) {
    std::vector<T> values;
    for (int n = dice_.below(5); n > 0; --n) values.push_back(make(tag<T>()));
    return values;
  }
  template <class T>
  List<T> make(tag<List<T>>) {
    List<T> values;
    for (int n = dice_.below(5); n > 0; --n) values.push_back(make(tag<T>()));
    return values;
  }
  template <class... Ts>
  std::tuple<Ts...> make(tag<std::tuple<Ts...>>) {
    return std::tuple<Ts...>{make(tag<Ts>())...};
  }

  // --- written down
  void put(const Tensor& t) {
    std::string name = t.defined() ? "t?" : "undefined";
    for (size_t i = 0; i < pool_.size(); ++i)
      if (t.defined() && t.unsafeGetTensorImpl() == pool_[i].unsafeGetTensorImpl())
        name = "t" + std::to_string(i);
    text_ += name + " ";
  }
  void put(int64_t n) { text_ += "i" + std::to_string(n) + " "; }
  void put(bool b) { text_ += b ? "true " : "false "; }
  void put(double d) { text_ += "d" + std::to_string(std::bit_cast<uint64_t>(d)) + " "; }
  void put(std::string_view s) {
    text_ += "s";
    for (const char c : s) text_ += std::to_string(static_cast<unsigned char>(c)) + ".";
    text_ += " ";
  }
  void put(const std::string& s) { put(std::string_view(s)); }
  void put(const Scalar& s) {
    text_ += "scalar ";
    if (s.isFloatingPoint())
      put(s.toDouble());
    else if (s.isBoolean())
      put(s.toBool());
    else
      put(static_cast<int64_t>(s.toLong()));
  }
  template <class T>
  void put(const std::optional<T>& o) {
    if (o)
      put(*o);
    else
      text_ += "none ";
  }
  template <class Range>
  void put_range(const Range& range) {
    text_ += "[";
    for (size_t i = 0; i < range.size(); ++i) put(range[i]);
    text_ += "] ";
  }
  void put(IntArrayRef list) { put_range(list); }
  void put(DoubleArrayRef list) { put_range(list); }
  void put(TensorList list) { put_range(list); }
  template <class T>
  void put(const std::vector<T>& list) {
    put_range(list);
  }
  template <class T>
  void put(const List<T>& list) {
    text_ += "[";
    for (size_t i = 0; i < list.size(); ++i) put(static_cast<T>(list.get(i)));
    text_ += "] ";
  }
  template <class... Ts>
  void put(const std::tuple<Ts...>& t) {
    std::apply([this](const auto&... parts) { (put(parts), ...); }, t);
  }
  // A boxed value, by the parameter it is for: what the box says of itself must fit it.
  template <class T>
  void put_boxed(const IValue& v) {
    using U = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<U, Tensor>)
      put(v.toTensor());
    else if constexpr (std::is_same_v<U, int64_t>)
      v.isInt() ? put(v.toInt()) : wrong();
    else if constexpr (std::is_same_v<U, double>)
      v.isDouble() ? put(v.toDouble()) : wrong();
    else if constexpr (std::is_same_v<U, bool>)
      v.isBool() ? put(v.toBool()) : wrong();
    else if constexpr (std::is_same_v<U, std::string> || std::is_same_v<U, std::string_view>)
      put(v.toStringRef());
    else if constexpr (std::is_same_v<U, Scalar>)
      put(v.toScalar());
    else
      put(v.template to<owned_t<U>>());
  }
  template <class U>
  void put_boxed_optional(const IValue& v) {
    if (v.isNone())
      text_ += "none ";
    else
      put_boxed<U>(v);
  }
  void wrong() { text_ += "another type "; }
  // What `f` puts.
  template <class F>
  std::string written(F&& f) {
    text_.clear();
    f();
    return text_;
  }

  template <class T>
  struct is_optional : std::false_type {};
  template <class T>
  struct is_optional<std::optional<T>> : std::true_type {
    using element = T;
  };
  template <class T>
  void put_argument(const IValue& v) {
    using U = std::remove_cvref_t<T>;
    if constexpr (is_optional<U>::value)
      put_boxed_optional<typename is_optional<U>::element>(v);
    else
      put_boxed<T>(v);
  }

  std::vector<Tensor> pool_;

 private:
  Dice dice_;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::string text_;
};

}  // namespace gb::tests::boxing
