// gradcheck: is the gradient that the tape computes the derivative of the function?
//
//   numerical   J[r][c] = (f_r(x + eps e_c) - f_r(x - eps e_c)) / (2 eps)      one column at a time, by
//   calling f analytical  J[r][:] = what backward gives for a grad_output of 1 at r      one row at a time,
//   through the tape
//
// Row r is an element of the output, column c one of the input, both counted row-major. The two must agree
// within |analytical - numerical| <= atol + rtol * |numerical|. Further: backward run twice gives the same, a
// grad_output of zero gives exactly zero, and backward copes with an undefined grad_output. Inputs that
// require grad are float64 on the CPU: with float32 the rounding of f alone is larger than the tolerance.
// Elements are perturbed through the data pointer, which no version counter sees, and are put back, also when
// f throws. With fast_mode one random direction is compared instead of every entry. Follows
// torch/autograd/gradcheck.py (it always prints both Jacobians; its rows are our columns).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tensor.h"
#include "dispatcher/function_traits.h"

namespace gb {

namespace detail {
template <class F>
struct arity_of;
template <class R, class... A>
struct arity_of<R(A...)> {
  static constexpr size_t value = sizeof...(A);
};
// Throws ValueError: the function takes `wanted` tensors.
void check_input_count(size_t wanted, size_t given);
}  // namespace detail

// A function of tensors: `f(const std::vector<Tensor>&)` or `f(const Tensor&, ...)`, returning a Tensor or a
// vector of them.
class TensorFunction {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, TensorFunction>) TensorFunction(F f)
      : call_([f = std::move(f)](const std::vector<Tensor>& inputs) -> std::vector<Tensor> {
          if constexpr (std::is_invocable_v<const F&, const std::vector<Tensor>&>) {
            return {f(inputs)};
          } else {
            constexpr size_t n = detail::arity_of<guts::function_type_t<F>>::value;
            detail::check_input_count(n, inputs.size());
            return [&]<size_t... i>(std::index_sequence<i...>)->std::vector<Tensor> {
              return {f(inputs[i]...)};
            }
            (std::make_index_sequence<n>());
          }
        }) {}
  std::vector<Tensor> operator()(const std::vector<Tensor>& inputs) const { return call_(inputs); }

 private:
  std::function<std::vector<Tensor>(const std::vector<Tensor>&)> call_;
};

struct GradcheckOptions {
  double eps = 1e-6;
  double atol = 1e-5;
  double rtol = 1e-3;
  double nondet_tol = 0;  // two runs of backward may differ by this much
  bool raise_exception = true;
  bool check_undefined_grad = true;
  bool fast_mode = false;  // one random direction instead of every entry (fast_gradcheck.h)
  uint64_t seed = 0;       // of what is drawn: those directions, and gradgradcheck's grad_outputs; messages name it
};

// One entry of the two Jacobians.
struct JacobianEntry {
  size_t output = 0, input = 0;  // which of the outputs, which of the inputs
  int64_t row = 0, column = 0;   // element of that output, element of that input
  double numerical = 0, analytical = 0;
  double difference = 0;  // |analytical - numerical|
};

struct GradcheckReport {
  bool passed = false;
  std::string message;  // of the failure, all four parts; empty when it passed
  JacobianEntry worst;  // the largest difference of all entries compared
  int64_t entries = 0;  // entries compared; 0 when it failed before that
  explicit operator bool() const { return passed; }
};
std::string to_string(
    const GradcheckReport& report);  // "passed: 128 x 128 ... largest difference ..." in one line

struct GradcheckError : Error {
  using Error::Error;
};  // a check failed

// Throws ValueError or TypeError for inputs that cannot be checked. A failed check is reported, not thrown.
GradcheckReport gradcheck_report(const TensorFunction& f, const std::vector<Tensor>& inputs,
                                 const GradcheckOptions& options = {});

// The same; a failed check throws GradcheckError, or returns false where raise_exception is off.
bool gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
               const GradcheckOptions& options = {});

// The gradient of the gradient: gradcheck of (inputs, grad_outputs) -> grads. Without grad_outputs they are
// drawn uniformly from [-1, 1) by options.seed. Catches a backward that uses values which were saved as constants
// but depend on the inputs.
bool gradgradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                   const std::vector<Tensor>& grad_outputs = {}, const GradcheckOptions& options = {});

}  // namespace gb
