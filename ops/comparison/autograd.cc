// The gradient of an in-place comparison: what was compared has no influence on a 0 or 1, so zeros. (Out of
// place the answer is bool and has no gradient at all.)
#include "ops/common/derivative.h"
#include "ops/comparison/comparison.h"
#include "ops/factories/factories.h"

namespace gb::autograd {
namespace {

template <class Derived>
struct ZeroOfOne : SavesNothing<Derived> {
  Tensor d_self(const Tensor& grad) { return zeros_like(grad); }
};
template <class Derived>
struct ZeroOfTwo : SavesNothing<Derived> {
  Tensor d_self(const Tensor& grad) { return zeros_like(grad); }
  static auto gradients() { return std::tuple{&ZeroOfTwo::d_self, &ZeroOfTwo::d_self}; }
};
struct EqBackward0 final : ZeroOfOne<EqBackward0> {};
struct NeBackward0 final : ZeroOfOne<NeBackward0> {};
struct LtBackward0 final : ZeroOfOne<LtBackward0> {};
struct LeBackward0 final : ZeroOfOne<LeBackward0> {};
struct GtBackward0 final : ZeroOfOne<GtBackward0> {};
struct GeBackward0 final : ZeroOfOne<GeBackward0> {};
struct EqBackward1 final : ZeroOfTwo<EqBackward1> {};
struct NeBackward1 final : ZeroOfTwo<NeBackward1> {};
struct LtBackward1 final : ZeroOfTwo<LtBackward1> {};
struct LeBackward1 final : ZeroOfTwo<LeBackward1> {};
struct GtBackward1 final : ZeroOfTwo<GtBackward1> {};
struct GeBackward1 final : ZeroOfTwo<GeBackward1> {};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  no_gradient(m, {"isnan", "isinf"});
  no_gradient(m, {"eq.Tensor", "eq.Scalar"});
  m.impl("eq_.Tensor", recorded_inplace<EqBackward1, &eq__op>);
  m.impl("eq_.Scalar", recorded_inplace<EqBackward0, &eq__scalar_op>);
  no_gradient(m, {"ne.Tensor", "ne.Scalar"});
  m.impl("ne_.Tensor", recorded_inplace<NeBackward1, &ne__op>);
  m.impl("ne_.Scalar", recorded_inplace<NeBackward0, &ne__scalar_op>);
  no_gradient(m, {"lt.Tensor", "lt.Scalar"});
  m.impl("lt_.Tensor", recorded_inplace<LtBackward1, &lt__op>);
  m.impl("lt_.Scalar", recorded_inplace<LtBackward0, &lt__scalar_op>);
  no_gradient(m, {"le.Tensor", "le.Scalar"});
  m.impl("le_.Tensor", recorded_inplace<LeBackward1, &le__op>);
  m.impl("le_.Scalar", recorded_inplace<LeBackward0, &le__scalar_op>);
  no_gradient(m, {"gt.Tensor", "gt.Scalar"});
  m.impl("gt_.Tensor", recorded_inplace<GtBackward1, &gt__op>);
  m.impl("gt_.Scalar", recorded_inplace<GtBackward0, &gt__scalar_op>);
  no_gradient(m, {"ge.Tensor", "ge.Scalar"});
  m.impl("ge_.Tensor", recorded_inplace<GeBackward1, &ge__op>);
  m.impl("ge_.Scalar", recorded_inplace<GeBackward0, &ge__scalar_op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("eq_.Tensor", bumps_version<&eq__op>);
  m.impl("eq_.Scalar", bumps_version<&eq__scalar_op>);
  m.impl("ne_.Tensor", bumps_version<&ne__op>);
  m.impl("ne_.Scalar", bumps_version<&ne__scalar_op>);
  m.impl("lt_.Tensor", bumps_version<&lt__op>);
  m.impl("lt_.Scalar", bumps_version<&lt__scalar_op>);
  m.impl("le_.Tensor", bumps_version<&le__op>);
  m.impl("le_.Scalar", bumps_version<&le__scalar_op>);
  m.impl("gt_.Tensor", bumps_version<&gt__op>);
  m.impl("gt_.Scalar", bumps_version<&gt__scalar_op>);
  m.impl("ge_.Tensor", bumps_version<&ge__op>);
  m.impl("ge_.Scalar", bumps_version<&ge__scalar_op>);
}

}  // namespace gb::autograd
