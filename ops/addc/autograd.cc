// The gradients of addcmul, addcdiv and lerp.
//
//   addcmul   self: grad    tensor1: grad tensor2 value    tensor2: grad tensor1 value
//   addcdiv   self: grad    tensor1: grad value / tensor2  tensor2: -grad value tensor1 / tensor2^2
//   lerp      self: grad (1 - weight)    end: grad weight    weight: grad (end - self)
#include "ops/addc/addc.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/common/derivative.h"

namespace gb::autograd {
namespace {

template <class Derived>
struct SavesFactors : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) { return grad; }
  static auto gradients() {
    return std::tuple{&SavesFactors::d_self, &Derived::d_tensor1, &Derived::d_tensor2};
  }
  static auto fields() {
    return std::tuple{field("tensor1", &SavesFactors::tensor1_), field("tensor2", &SavesFactors::tensor2_),
                      field("value", &SavesFactors::value_)};
  }
  void save(const Tensor&, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) {
    if (this->should_compute_output(2)) tensor1_ = this->saved_input(tensor1);
    if (this->should_compute_output(1) || Derived::kDivides) tensor2_ = this->saved_input(tensor2);
    value_ = value;
  }
  SavedVariable tensor1_, tensor2_;
  Scalar value_;
};
struct AddcmulBackward0 final : SavesFactors<AddcmulBackward0> {
  static constexpr bool kDivides = false;
  Tensor d_tensor1(const Tensor& grad) { return grad.mul(unpack(tensor2_).mul(value_)); }
  Tensor d_tensor2(const Tensor& grad) { return grad.mul(unpack(tensor1_).mul(value_)); }
};
struct AddcdivBackward0 final : SavesFactors<AddcdivBackward0> {
  static constexpr bool kDivides = true;
  Tensor d_tensor1(const Tensor& grad) { return grad.mul(value_ / unpack(tensor2_)); }
  Tensor d_tensor2(const Tensor& grad) {
    const Tensor divisor = unpack(tensor2_);
    return grad.neg().mul(unpack(tensor1_).mul(value_).div(divisor.mul(divisor)));
  }
};

struct LerpBackward0 final : FormulaNode<LerpBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.mul(1 - weight_.toDouble()); }
  Tensor d_end(const Tensor& grad) { return grad.mul(weight_); }
  static auto gradients() { return std::tuple{&LerpBackward0::d_self, &LerpBackward0::d_end}; }
  static auto fields() { return std::tuple{field("weight", &LerpBackward0::weight_)}; }
  void save(const Tensor&, const Tensor&, const Scalar& weight) { weight_ = weight; }
  Scalar weight_;
};
struct LerpBackward1 final : FormulaNode<LerpBackward1> {
  Tensor d_self(const Tensor& grad) { return grad.mul(1 - unpack(weight_)); }
  Tensor d_end(const Tensor& grad) { return grad.mul(unpack(weight_)); }
  Tensor d_weight(const Tensor& grad) { return grad.mul(unpack(end_).sub(unpack(self_))); }
  static auto gradients() {
    return std::tuple{&LerpBackward1::d_self, &LerpBackward1::d_end, &LerpBackward1::d_weight};
  }
  static auto fields() {
    return std::tuple{field("end", &LerpBackward1::end_), field("self", &LerpBackward1::self_),
                      field("weight", &LerpBackward1::weight_)};
  }
  bool needs_self() const { return should_compute_output(2); }
  void save(const Tensor& self, const Tensor& end, const Tensor& weight) {
    if (needs_self()) {
      self_ = saved_input(self);
      end_ = saved_input(end);
    }
    weight_ = saved_input(weight);
  }
  SavedVariable self_, end_, weight_;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("addcmul", recorded<AddcmulBackward0, &addcmul_op>);
  m.impl("addcmul_", recorded_inplace<AddcmulBackward0, &addcmul__op>);
  m.impl("addcdiv", recorded<AddcdivBackward0, &addcdiv_op>);
  m.impl("addcdiv_", recorded_inplace<AddcdivBackward0, &addcdiv__op>);
  m.impl("lerp.Scalar", recorded<LerpBackward0, &lerp_scalar_op>);
  m.impl("lerp_.Scalar", recorded_inplace<LerpBackward0, &lerp__scalar_op>);
  m.impl("lerp.Tensor", recorded<LerpBackward1, &lerp_op>);
  m.impl("lerp_.Tensor", recorded_inplace<LerpBackward1, &lerp__op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("addcmul_", bumps_version<&addcmul__op>);
  m.impl("addcdiv_", bumps_version<&addcdiv__op>);
  m.impl("lerp_.Scalar", bumps_version<&lerp__scalar_op>);
  m.impl("lerp_.Tensor", bumps_version<&lerp__op>);
}

}  // namespace gb::autograd
