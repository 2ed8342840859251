// The gradients of the operators that choose: each element's gradient goes to what was chosen there.
//
//   where         self: where(condition, grad, 0)           other: where(condition, 0, grad)
//   masked_fill   self: grad.masked_fill(mask, 0)           value: the sum of what the mask covers
//   maximum       the larger one; where both are equal, half to each. minimum: the smaller
//   clamp         self where it lies within the bounds, both included; a bound where it was taken
#include "ops/common/derivative.h"
#include "ops/comparison/comparison.h"
#include "ops/factories/factories.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reductions/reductions.h"

namespace gb::autograd {
namespace {

struct WhereBackward0 final : FormulaNode<WhereBackward0> {
  using Differentiable = Arguments<1, 2>;  // not the condition
  Tensor d_self(const Tensor& grad) { return where(unpack(condition_), grad, 0); }
  Tensor d_other(const Tensor& grad) { return where(unpack(condition_), 0, grad); }
  static auto gradients() { return std::tuple{&WhereBackward0::d_self, &WhereBackward0::d_other}; }
  static auto fields() { return std::tuple{field("condition", &WhereBackward0::condition_)}; }
  void save(const Tensor& condition, const Tensor&, const Tensor&) { condition_ = saved_input(condition); }
  SavedVariable condition_;
};

struct MaskedFillBackward0 final : FormulaNode<MaskedFillBackward0> {
  using Differentiable = Arguments<0>;
  Tensor d_self(const Tensor& grad) { return grad.masked_fill(unpack(mask_), 0); }
  static auto gradients() { return std::tuple{&MaskedFillBackward0::d_self}; }
  static auto fields() { return std::tuple{field("mask", &MaskedFillBackward0::mask_)}; }
  void save(const Tensor&, const Tensor& mask, const Scalar&) { mask_ = saved_input(mask); }
  SavedVariable mask_;
};
struct MaskedFillBackward1 final : FormulaNode<MaskedFillBackward1> {
  using Differentiable = Arguments<0, 2>;
  Tensor d_self(const Tensor& grad) { return grad.masked_fill(unpack(mask_), 0); }
  Tensor d_value(const Tensor& grad) { return where(unpack(mask_), grad, 0).sum(); }
  static auto gradients() { return std::tuple{&MaskedFillBackward1::d_self, &MaskedFillBackward1::d_value}; }
  static auto fields() { return std::tuple{field("mask", &MaskedFillBackward1::mask_)}; }
  void save(const Tensor&, const Tensor& mask, const Tensor&) { mask_ = saved_input(mask); }
  SavedVariable mask_;
};

// maximum and minimum: `lost` says where the operand was not taken.
template <class Derived>
struct SavesPair : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_self, &Derived::d_other}; }
  static auto fields() {
    return std::tuple{field("other", &SavesPair::other_), field("self", &SavesPair::self_)};
  }
  void save(const Tensor& self, const Tensor& other) {
    self_ = this->saved_input(self);
    other_ = this->saved_input(other);
  }
  Tensor self() { return this->unpack(self_); }
  Tensor other() { return this->unpack(other_); }
  Tensor shared(const Tensor& grad, const Tensor& lost) {
    return gb::where(self().eq(other()), grad.div(2), grad).masked_fill(lost, 0);
  }
  SavedVariable self_, other_;
};
struct MaximumBackward0 final : SavesPair<MaximumBackward0> {
  Tensor d_self(const Tensor& grad) { return shared(grad, self().lt(other())); }
  Tensor d_other(const Tensor& grad) { return shared(grad, self().gt(other())); }
};
struct MinimumBackward0 final : SavesPair<MinimumBackward0> {
  Tensor d_self(const Tensor& grad) { return shared(grad, self().gt(other())); }
  Tensor d_other(const Tensor& grad) { return shared(grad, self().lt(other())); }
};

// clamp by numbers.
struct ClampBackward1 final : FormulaNode<ClampBackward1> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = unpack(self_);
    Tensor kept = min_ ? where(self.ge(*min_), grad, 0) : grad;
    return max_ ? where(self.le(*max_), kept, 0) : kept;
  }
  static auto gradients() { return std::tuple{&ClampBackward1::d_self}; }
  static auto fields() {
    return std::tuple{field("max", &ClampBackward1::max_), field("min", &ClampBackward1::min_),
                      field("self", &ClampBackward1::self_)};
  }
  bool needs_self() const { return true; }
  void save(const Tensor& self, OptionalScalar min, OptionalScalar max) {
    self_ = saved_input(self);
    min_ = min;
    max_ = max;
  }
  SavedVariable self_;
  std::optional<Scalar> min_, max_;
};

// clamp by tensors. Where min > max, max was taken.
struct ClampBackward0 final : FormulaNode<ClampBackward0> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = unpack(self_), min = unpack(min_), max = unpack(max_);
    Tensor kept = min.defined() ? where(self.ge(min), grad, 0) : grad;
    return max.defined() ? where(self.le(max), kept, 0) : kept;
  }
  Tensor d_min(const Tensor& grad) {
    const Tensor self = unpack(self_), min = unpack(min_), max = unpack(max_);
    const Tensor taken = self.lt(min);
    return where(max.defined() ? taken.mul(min.lt(max)) : taken, grad, 0);  // of bools: and
  }
  Tensor d_max(const Tensor& grad) {
    const Tensor self = unpack(self_), min = unpack(min_), max = unpack(max_);
    const Tensor taken = self.gt(max);
    return where(min.defined() ? taken.add(max.lt(min)) : taken, grad, 0);  // of bools: or
  }
  static auto gradients() {
    return std::tuple{&ClampBackward0::d_self, &ClampBackward0::d_min, &ClampBackward0::d_max};
  }
  static auto fields() {
    return std::tuple{field("max", &ClampBackward0::max_), field("min", &ClampBackward0::min_),
                      field("self", &ClampBackward0::self_)};
  }
  bool needs_self() const { return true; }
  void save(const Tensor& self, OptionalTensor min, OptionalTensor max) {
    self_ = saved_input(self);
    if (min) min_ = saved_input(*min);
    if (max) max_ = saved_input(*max);
  }
  SavedVariable self_, min_, max_;
};

// clamp_min and clamp_max; 0: by a number, 1: by a tensor. Within: is self taken where it is on this side of
// the bound?
template <class Derived>
struct SavesNumberBound : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) {
    return gb::where(Derived::within(this->unpack(self_), bound_), grad, 0);
  }
  static auto gradients() { return std::tuple{&SavesNumberBound::d_self}; }
  static auto fields() {
    return std::tuple{field(Derived::kBound, &SavesNumberBound::bound_),
                      field("self", &SavesNumberBound::self_)};
  }
  bool needs_self() const { return true; }
  void save(const Tensor& self, const Scalar& bound) {
    self_ = this->saved_input(self);
    bound_ = bound;
  }
  SavedVariable self_;
  Scalar bound_;
};
template <class Derived>
struct SavesTensorBound : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) { return gb::where(within(), grad, 0); }
  Tensor d_bound(const Tensor& grad) { return gb::where(within(), 0, grad); }
  static auto gradients() { return std::tuple{&SavesTensorBound::d_self, &SavesTensorBound::d_bound}; }
  static auto fields() {
    return std::tuple{field(Derived::kBound, &SavesTensorBound::bound_),
                      field("self", &SavesTensorBound::self_)};
  }
  bool needs_self() const { return true; }
  void save(const Tensor& self, const Tensor& bound) {
    self_ = this->saved_input(self);
    bound_ = this->saved_input(bound);
  }
  Tensor within() { return Derived::within(this->unpack(self_), this->unpack(bound_)); }
  SavedVariable self_, bound_;
};
struct ClampMinBackward0 final : SavesNumberBound<ClampMinBackward0> {
  static constexpr const char* kBound = "min";
  static Tensor within(const Tensor& self, const Scalar& min) { return self.ge(min); }
};
struct ClampMinBackward1 final : SavesTensorBound<ClampMinBackward1> {
  static constexpr const char* kBound = "min";
  static Tensor within(const Tensor& self, const Tensor& min) { return self.ge(min); }
};
struct ClampMaxBackward0 final : SavesNumberBound<ClampMaxBackward0> {
  static constexpr const char* kBound = "max";
  static Tensor within(const Tensor& self, const Scalar& max) { return self.le(max); }
};
struct ClampMaxBackward1 final : SavesTensorBound<ClampMaxBackward1> {
  static constexpr const char* kBound = "max";
  static Tensor within(const Tensor& self, const Tensor& max) { return self.le(max); }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("where.self", recorded<WhereBackward0, &where_op>);
  m.impl("masked_fill.Scalar", recorded<MaskedFillBackward0, &masked_fill_scalar_op>);
  m.impl("masked_fill_.Scalar", recorded_inplace<MaskedFillBackward0, &masked_fill__scalar_op>);
  m.impl("masked_fill.Tensor", recorded<MaskedFillBackward1, &masked_fill_op>);
  m.impl("masked_fill_.Tensor", recorded_inplace<MaskedFillBackward1, &masked_fill__op>);
  m.impl("maximum", recorded<MaximumBackward0, &maximum_op>);
  m.impl("minimum", recorded<MinimumBackward0, &minimum_op>);
  m.impl("clamp", recorded<ClampBackward1, &clamp_scalar_op>);
  m.impl("clamp_", recorded_inplace<ClampBackward1, &clamp__scalar_op>);
  m.impl("clamp.Tensor", recorded<ClampBackward0, &clamp_op>);
  m.impl("clamp_.Tensor", recorded_inplace<ClampBackward0, &clamp__op>);
  m.impl("clamp_min", recorded<ClampMinBackward0, &clamp_min_scalar_op>);
  m.impl("clamp_min_", recorded_inplace<ClampMinBackward0, &clamp_min__scalar_op>);
  m.impl("clamp_min.Tensor", recorded<ClampMinBackward1, &clamp_min_op>);
  m.impl("clamp_min_.Tensor", recorded_inplace<ClampMinBackward1, &clamp_min__op>);
  m.impl("clamp_max", recorded<ClampMaxBackward0, &clamp_max_scalar_op>);
  m.impl("clamp_max_", recorded_inplace<ClampMaxBackward0, &clamp_max__scalar_op>);
  m.impl("clamp_max.Tensor", recorded<ClampMaxBackward1, &clamp_max_op>);
  m.impl("clamp_max_.Tensor", recorded_inplace<ClampMaxBackward1, &clamp_max__op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("masked_fill_.Scalar", bumps_version<&masked_fill__scalar_op>);
  m.impl("masked_fill_.Tensor", bumps_version<&masked_fill__op>);
  m.impl("clamp_", bumps_version<&clamp__scalar_op>);
  m.impl("clamp_.Tensor", bumps_version<&clamp__op>);
  m.impl("clamp_min_", bumps_version<&clamp_min__scalar_op>);
  m.impl("clamp_min_.Tensor", bumps_version<&clamp_min__op>);
  m.impl("clamp_max_", bumps_version<&clamp_max__scalar_op>);
  m.impl("clamp_max_.Tensor", bumps_version<&clamp_max__op>);
}

}  // namespace gb::autograd
