// The gradients of pow.
//
//   y = x^e      d x = grad e x^(e-1), and 0 where e is 0 (x may be 0 there)
//                d e = grad y log(x),  and 0 where x is 0 and e >= 0 (log would be -inf)
//
// PowBackward0: e is a number. PowBackward1: both are tensors. PowBackward2: x is a number.
#include <cmath>

#include "ops/common/derivative.h"
#include "ops/comparison/comparison.h"
#include "ops/factories/factories.h"
#include "ops/pointwise/pointwise.h"
#include "ops/pow/pow.h"
#include "ops/unary/unary.h"

namespace gb::autograd {
namespace {

// As a double, where it is a number that has a fraction; integers stay integers.
Scalar less_one(const Scalar& e) {
  return e.isFloatingPoint() ? Scalar(e.toDouble() - 1) : Scalar(e.toLong() - 1);
}

struct PowBackward0 final : FormulaNode<PowBackward0> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = unpack(self_);
    if (exponent_.equal(0)) return zeros_like(self);
    return grad.mul(self.pow(less_one(exponent_)).mul(exponent_));
  }
  static auto gradients() { return std::tuple{&PowBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("exponent", &PowBackward0::exponent_), field("self", &PowBackward0::self_)};
  }
  bool needs_self() const { return true; }
  void save(const Tensor& self, const Scalar& exponent) {
    self_ = saved_input(self);
    exponent_ = exponent;
  }
  SavedVariable self_;
  Scalar exponent_;
};

struct PowBackward1 final : FormulaNode<PowBackward1> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = unpack(self_), exponent = unpack(exponent_);
    return where(exponent.eq(0), 0, grad.mul(exponent.mul(self.pow(exponent.sub(1)))));
  }
  Tensor d_exponent(const Tensor& grad) {
    const Tensor self = unpack(self_), exponent = unpack(exponent_);
    const Tensor at_zero = self.eq(0).mul(exponent.ge(0));  // of bools: and
    return grad.mul(where(at_zero, 0, unpack(result_).mul(self.log())));
  }
  static auto gradients() { return std::tuple{&PowBackward1::d_self, &PowBackward1::d_exponent}; }
  static auto fields() {
    return std::tuple{field("exponent", &PowBackward1::exponent_), field("self", &PowBackward1::self_),
                      field("result", &PowBackward1::result_)};
  }
  bool needs_self() const { return true; }
  void save(const Tensor& self, const Tensor& exponent) {
    self_ = saved_input(self);
    exponent_ = saved_input(exponent);
  }
  void save_result(const Tensor& result) {
    if (should_compute_output(1)) result_ = saved_result(result);
  }
  SavedVariable self_, exponent_, result_;
};

struct PowBackward2 final : FormulaNode<PowBackward2> {
  Tensor d_exponent(const Tensor& grad) {
    const Tensor result = unpack(result_);
    if (self_.equal(0)) return grad.mul(where(unpack(exponent_).ge(0), 0, result.mul(std::log(0.0))));
    return grad.mul(result.mul(std::log(self_.toDouble())));
  }
  static auto gradients() { return std::tuple{&PowBackward2::d_exponent}; }
  static auto fields() {
    return std::tuple{field("exponent", &PowBackward2::exponent_), field("self", &PowBackward2::self_),
                      field("result", &PowBackward2::result_)};
  }
  void save(const Scalar& self, const Tensor& exponent) {
    self_ = self;
    exponent_ = saved_input(exponent);
  }
  void save_result(const Tensor& result) { result_ = saved_result(result); }
  Scalar self_;
  SavedVariable exponent_, result_;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("pow.Tensor_Scalar", recorded<PowBackward0, &pow_scalar_op>);
  m.impl("pow_.Scalar", recorded_inplace<PowBackward0, &pow__scalar_op>);
  m.impl("pow.Tensor_Tensor", recorded<PowBackward1, &pow_op>);
  m.impl("pow_.Tensor", recorded_inplace<PowBackward1, &pow__op>);
  m.impl("pow.Scalar", recorded<PowBackward2, &pow_of_number_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("pow_.Scalar", bumps_version<&pow__scalar_op>);
  m.impl("pow_.Tensor", bumps_version<&pow__op>);
}

}  // namespace gb::autograd
