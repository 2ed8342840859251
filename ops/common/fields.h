// FieldsNode: a node that says once which fields it keeps, and is released and printed from that list.
//
//   struct TransposeBackward0 final : FieldsNode<TransposeBackward0> {
//     static auto fields() {
//       using Self = TransposeBackward0;
//       return std::tuple{field("dim0", &Self::dim0_), field("dim1", &Self::dim1_)};
//     }
//     int64_t dim0_ = 0, dim1_ = 0;
//   };
//
// Field names are those of torch/csrc/autograd/generated/Functions.h, in the order of the printed tape. The
// node's own name is that of its type.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "autograd/formula.h"
#include "core/scalar.h"

namespace gb::autograd {

template <class NodeType, class T>
struct Field {
  const char* name;
  T NodeType::*member;
};
template <class NodeType, class T>
constexpr Field<NodeType, T> field(const char* name, T NodeType::*member) {
  return {name, member};
}

namespace detail {
inline std::string printed(bool value) { return value ? "True" : "False"; }
inline std::string printed(int64_t value) { return std::to_string(value); }
inline std::string printed(double value) { return to_string(Scalar(value)); }
inline std::string printed(const Scalar& value) { return to_string(value); }
inline std::string printed(const std::string& value) { return value; }
inline std::string printed(ScalarType value) { return toString(value); }
template <class T>
std::string printed(const std::optional<T>& value) {
  return value ? printed(*value) : "None";
}
template <class T>
std::string printed(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) text += (text.size() > 1 ? ", " : "") + printed(value);
  return text + "]";
}

template <class T>
void print_field(std::vector<SavedField>& out, const char* name, const T& value) {
  out.emplace_back(name, printed(value));
}
inline void print_field(std::vector<SavedField>& out, const char* name, const SavedVariable& value) {
  out.emplace_back(name, &value);
}
inline void print_field(std::vector<SavedField>& out, const char* name,
                        const std::vector<SavedVariable>& values) {
  for (size_t i = 0; i < values.size(); ++i)
    out.emplace_back(name + printed(std::vector<int64_t>{int64_t(i)}), &values[i]);
}

template <class T>
void release_field(T&) {}  // numbers stay
inline void release_field(SavedVariable& value) { value.reset_data(); }
inline void release_field(std::vector<SavedVariable>& values) {
  for (SavedVariable& value : values) value.reset_data();
}
}  // namespace detail

template <class Derived>
struct FieldsNode : Node {
  void release_variables() override {
    Derived& self = static_cast<Derived&>(*this);
    std::apply([&](auto... f) { (detail::release_field(self.*f.member), ...); }, Derived::fields());
  }
  std::vector<SavedField> saved() const override {
    const Derived& self = static_cast<const Derived&>(*this);
    std::vector<SavedField> out;
    std::apply([&](auto... f) { (detail::print_field(out, f.name, self.*f.member), ...); },
               Derived::fields());
    return out;
  }

 protected:
  static SavedVariable saved_input(const Tensor& t) { return SavedVariable(t, /*is_output=*/false); }
  static SavedVariable saved_result(const Tensor& t) { return SavedVariable(t, /*is_output=*/true); }
  Tensor unpack(const SavedVariable& v) { return v.is_output() ? v.unpack(getptr()) : v.unpack(); }
};

}  // namespace gb::autograd
