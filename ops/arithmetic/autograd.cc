// The gradients of add, sub, mul and div.
//
//   add    out = self + alpha * other    d self = grad            d other = alpha * grad
//   sub    out = self - alpha * other    d self = grad            d other = -alpha * grad
//   mul    out = self * other            d self = grad * other    d other = grad * self
//   div    out = self / other            d self = grad / other    d other = -grad * (self / other) / other
//
// So mul saves each operand only where the other one's gradient is wanted; div saves other always. Gradients
// leave here in the shape and dtype of the result: where an operand was broadcast or promoted, the engine
// sums them down and converts them (validate_outputs), as PyTorch's does. Node ...Backward1 is of the .Scalar
// overload: a number has no gradient.
#include "ops/arithmetic/arithmetic.h"
#include "ops/common/derivative.h"

namespace gb::autograd {
namespace {

// alpha is 1 nearly always: then the gradient passes through as it is.
Tensor scaled(const Tensor& grad, const Scalar& factor) { return factor.equal(1) ? grad : grad.mul(factor); }

// add and sub keep alpha only.
template <class Derived>
struct SavesAlpha : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) { return grad; }
  static auto gradients() { return std::tuple{&SavesAlpha::d_self, &Derived::d_other}; }
  static auto fields() { return std::tuple{field("alpha", &SavesAlpha::alpha_)}; }
  void save(const Tensor&, const Tensor&, const Scalar& alpha) { alpha_ = alpha; }
  Scalar alpha_;
};
struct AddBackward0 final : SavesAlpha<AddBackward0> {
  Tensor d_other(const Tensor& grad) { return scaled(grad, alpha_); }
};
struct SubBackward0 final : SavesAlpha<SubBackward0> {
  Tensor d_other(const Tensor& grad) { return scaled(grad, -alpha_); }
};

struct AddBackward1 final : SavesNothing<AddBackward1> {
  Tensor d_self(const Tensor& grad) { return grad; }
};
struct SubBackward1 final : SavesNothing<SubBackward1> {
  Tensor d_self(const Tensor& grad) { return grad; }
};

// [anchor: mul]
struct MulBackward0 final : FormulaNode<MulBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.mul(unpack(other_)); }
  Tensor d_other(const Tensor& grad) { return grad.mul(unpack(self_)); }
  static auto gradients() { return std::tuple{&MulBackward0::d_self, &MulBackward0::d_other}; }
  static auto fields() {
    return std::tuple{field("other", &MulBackward0::other_), field("self", &MulBackward0::self_)};
  }
  bool needs_self() const { return should_compute_output(1); }
  void save(const Tensor& self, const Tensor& other) {
    if (should_compute_output(0)) other_ = saved_input(other);
    if (needs_self()) self_ = saved_input(self);
  }
  SavedVariable self_, other_;
};

struct DivBackward0 final : FormulaNode<DivBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.div(unpack(other_)); }
  Tensor d_other(const Tensor& grad) {
    const Tensor other = unpack(other_);
    return grad.neg().mul(unpack(self_).div(other).div(other));
  }
  static auto gradients() { return std::tuple{&DivBackward0::d_self, &DivBackward0::d_other}; }
  static auto fields() {
    return std::tuple{field("other", &DivBackward0::other_), field("self", &DivBackward0::self_)};
  }
  bool needs_self() const { return should_compute_output(1); }
  void save(const Tensor& self, const Tensor& other) {
    other_ = saved_input(other);
    if (needs_self()) self_ = saved_input(self);
  }
  SavedVariable self_, other_;
};

template <class Derived>
struct SavesNumber : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_self}; }
  static auto fields() { return std::tuple{field("other", &SavesNumber::other_)}; }
  void save(const Tensor&, const Scalar& other) { other_ = other; }
  Scalar other_;
};
struct MulBackward1 final : SavesNumber<MulBackward1> {
  Tensor d_self(const Tensor& grad) { return grad.mul(other_); }
};
struct DivBackward1 final : SavesNumber<DivBackward1> {
  Tensor d_self(const Tensor& grad) { return grad.div(other_); }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("add.Tensor", recorded<AddBackward0, &add_op>);
  m.impl("add_.Tensor", recorded_inplace<AddBackward0, &add__op>);
  m.impl("add.Scalar", recorded<AddBackward1, &add_scalar_op>);
  m.impl("add_.Scalar", recorded_inplace<AddBackward1, &add__scalar_op>);
  m.impl("sub.Tensor", recorded<SubBackward0, &sub_op>);
  m.impl("sub_.Tensor", recorded_inplace<SubBackward0, &sub__op>);
  m.impl("sub.Scalar", recorded<SubBackward1, &sub_scalar_op>);
  m.impl("sub_.Scalar", recorded_inplace<SubBackward1, &sub__scalar_op>);
  m.impl("mul.Tensor", recorded<MulBackward0, &mul_op>);
  m.impl("mul_.Tensor", recorded_inplace<MulBackward0, &mul__op>);
  m.impl("mul.Scalar", recorded<MulBackward1, &mul_scalar_op>);
  m.impl("mul_.Scalar", recorded_inplace<MulBackward1, &mul__scalar_op>);
  m.impl("div.Tensor", recorded<DivBackward0, &div_op>);
  m.impl("div_.Tensor", recorded_inplace<DivBackward0, &div__op>);
  m.impl("div.Scalar", recorded<DivBackward1, &div_scalar_op>);
  m.impl("div_.Scalar", recorded_inplace<DivBackward1, &div__scalar_op>);
}

GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("add_.Tensor", bumps_version<&add__op>);
  m.impl("add_.Scalar", bumps_version<&add__scalar_op>);
  m.impl("sub_.Tensor", bumps_version<&sub__op>);
  m.impl("sub_.Scalar", bumps_version<&sub__scalar_op>);
  m.impl("mul_.Tensor", bumps_version<&mul__op>);
  m.impl("mul_.Scalar", bumps_version<&mul__scalar_op>);
  m.impl("div_.Tensor", bumps_version<&div__op>);
  m.impl("div_.Scalar", bumps_version<&div__scalar_op>);
}

}  // namespace gb::autograd
