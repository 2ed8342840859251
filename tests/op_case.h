// OpCase: one call of one operator, as data. One list of them per operator (ops/<operator>/cases.h) drives every
// generic test: values against a naive reference, gradcheck and gradgradcheck, the Meta kernel, the comparison with
// LibTorch, and the benchmark.
//
// A case names the operator as its schema does and lists the arguments, so that both dispatchers can make the same
// boxed call. It holds no tensors: make_arguments() makes them, for a dtype and a seed, the same on every machine.
//
//   inline std::vector<OpCase> add_cases() {
//     return {
//         op("aten::add.Tensor").on(input({2, 3}), input({2, 3})),
//         op("aten::add.Tensor", "broadcast").on(input({2, 1, 3}), input({4, 1})).with("alpha", 2),
//         op("aten::add.Tensor", "integer").on(integers({2, 3}, -9, 9), integers({2, 3}, -9, 9)),
//         op("aten::log", "stepped").on(input({5, 2}).between(0.5, 3).stepped()),
//         op("aten::gather").on(input({3, 4}), 1, integers({3, 2}, 0, 3)),
//         op("aten::add.Tensor", "shapes do not broadcast").on(input({2, 3}), input({2})).throws(),
//     };
//   }
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/tensor.h"
#include "dispatcher/stack.h"

namespace gb::tests {

// A tensor to be made. Without a dtype it takes the dtype of the run (float64, float32, ...) and, in the gradient
// tests, requires grad. Values are uniform in [low, high], all the same where the two are equal (also infinities); those of
// integer types include both ends.
struct TensorSpec {
  enum class Form {
    kContiguous,
    kTransposed,  // strides of the reversed order: the first dimension is the fastest
    kStepped,     // every second element of its storage, from the second on
    kExpanded,    // stride 0 along the first dimension (contiguous in gradient tests, which write single elements)
  };
  std::vector<int64_t> sizes;
  std::optional<ScalarType> dtype;
  Form form = Form::kContiguous;
  double low = -2, high = 2;
  bool differentiable = true;
  bool wrapped_number = false;  // a 0-d tensor that counts as a plain number in type promotion

  TensorSpec between(double lo, double hi) const { auto s = *this; s.low = lo, s.high = hi; return s; }
  TensorSpec as(ScalarType type) const { auto s = *this; s.dtype = type, s.differentiable = false; return s; }
  TensorSpec transposed() const { auto s = *this; s.form = Form::kTransposed; return s; }
  TensorSpec stepped() const { auto s = *this; s.form = Form::kStepped; return s; }
  TensorSpec expanded() const { auto s = *this; s.form = Form::kExpanded; return s; }
  TensorSpec constant() const { auto s = *this; s.differentiable = false; return s; }  // never requires grad
};

inline TensorSpec input(std::vector<int64_t> sizes) { return {.sizes = std::move(sizes), .dtype = {}}; }
inline TensorSpec integers(std::vector<int64_t> sizes, int64_t low, int64_t high, ScalarType dtype = kLong) {
  return input(std::move(sizes)).as(dtype).between(static_cast<double>(low), static_cast<double>(high));
}
// The number in `a + 2.5`, passed where the schema wants a Tensor.
template <class Number>
TensorSpec number(Number value) {
  auto spec = input({}).as(Scalar(value).type()).between(static_cast<double>(value), static_cast<double>(value));
  spec.wrapped_number = true;
  return spec;
}

// One argument: a tensor, a list of tensors, or any other value as it stands.
using CaseArgument = std::variant<TensorSpec, std::vector<TensorSpec>, IValue>;

struct OpCase {
  std::string op;     // "aten::add.Tensor"
  std::string label;  // what is special about it: "broadcast"
  std::vector<CaseArgument> arguments;                          // in the schema's order; defaults may be left out
  std::vector<std::pair<std::string, CaseArgument>> keywords;   // the others, by name
  bool is_differentiable = true;  // check first derivatives (where an input of the case can have any)
  bool is_twice_differentiable = true;
  bool gradient_is_derivative = true;  // not so for a padding row, whose gradient is zero by definition
  bool has_meta = true;           // a Meta kernel must agree with the real one
  bool in_libtorch = true;        // LibTorch has the same operator with the same meaning
  bool defines_values = true;     // the values are determined (not so for `empty`)
  bool expects_error = false;     // bad input: both libraries must refuse it
  std::vector<ScalarType> dtypes{kDouble, kFloat};  // runs; the gradient tests take kDouble only
  double tolerance = 1;           // factor on the usual tolerance, for long sums

  std::string title() const { return label.empty() ? op : op + " (" + label + ")"; }

  // --- fluent setters
  template <class... Arguments>
  OpCase on(Arguments&&... values) && {
    (arguments.push_back(to_argument(std::forward<Arguments>(values))), ...);
    return std::move(*this);
  }
  template <class Argument>
  OpCase with(std::string name, Argument&& value) && {
    keywords.emplace_back(std::move(name), to_argument(std::forward<Argument>(value)));
    return std::move(*this);
  }
  OpCase not_differentiable() && { is_differentiable = is_twice_differentiable = false; return std::move(*this); }
  OpCase once_differentiable() && { is_twice_differentiable = false; return std::move(*this); }
  OpCase gradient_by_definition() && { gradient_is_derivative = false; return std::move(*this); }
  OpCase without_meta() && { has_meta = false; return std::move(*this); }
  OpCase not_in_libtorch() && { in_libtorch = false; return std::move(*this); }
  OpCase undefined_values() && { defines_values = false; return std::move(*this).not_differentiable(); }
  OpCase throws() && { expects_error = true; return std::move(*this); }
  OpCase loose(double factor) && { tolerance = factor; return std::move(*this); }
  OpCase in(std::vector<ScalarType> types) && { dtypes = std::move(types); return std::move(*this); }
  OpCase also_half() && {
    dtypes.push_back(kHalf), dtypes.push_back(kBFloat16);
    return std::move(*this);
  }

 private:
  template <class Argument>
  static CaseArgument to_argument(Argument&& value) {
    if constexpr (std::is_convertible_v<Argument, TensorSpec> || std::is_same_v<std::decay_t<Argument>, std::vector<TensorSpec>>)
      return CaseArgument(std::forward<Argument>(value));
    else
      return CaseArgument(IValue(std::forward<Argument>(value)));
  }
};

inline OpCase op(std::string name, std::string label = "") {
  OpCase made;
  made.op = std::move(name), made.label = std::move(label);
  return made;
}
// A list of integers as an argument: ints({2, 3}).
inline IValue ints(std::initializer_list<int64_t> values) { return IValue(std::vector<int64_t>(values)); }
// "No value" for an optional argument.
inline IValue none() { return IValue(); }

struct MakeOptions {
  ScalarType dtype = kDouble;
  uint64_t seed = 1;
  bool for_gradients = false;  // no stride-0 inputs
  bool on_meta = false;        // the same tensors without memory
};

// One tensor after a spec.
Tensor make_tensor(const TensorSpec& spec, const MakeOptions& options, uint64_t position = 0);

// The stack for a boxed call of the case: one value per argument of the schema, defaults filled in. Throws
// where the operator is not registered or the arguments do not fit its schema.
Stack make_arguments(const OpCase& op_case, const MakeOptions& options);

// Positions in that stack of the tensors that the gradient tests differentiate by.
std::vector<size_t> differentiable_positions(const OpCase& op_case, const Stack& arguments);

// Element i in row-major order, whatever the strides; for references and comparisons.
double element(const Tensor& tensor, int64_t i);
void set_element(const Tensor& tensor, int64_t i, double value);
// A contiguous CPU tensor of zeros, made without any operator.
Tensor blank(IntArrayRef sizes, ScalarType dtype);

}  // namespace gb::tests
