// The gradients of the mathematical functions.
//
//   neg         -grad                        abs     grad * sign(self)
//   exp         grad * result                sin     grad * cos(self)
//   log         grad / self                  cos     grad * -sin(self)
//   sqrt        grad / (2 result)            sign    0
//   rsqrt       -grad / 2 * result^3         floor   0
//   reciprocal  -grad * result^2
//
// exp, sqrt, rsqrt and reciprocal save their own output: the derivative is made of it.
#include "ops/common/derivative.h"
#include "ops/factories/factories.h"
#include "ops/unary/unary.h"

namespace gb::autograd {
namespace {

struct NegBackward0 final : SavesNothing<NegBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.neg(); }
};
struct ExpBackward0 final : SavesResult<ExpBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.mul(result()); }
};
struct LogBackward0 final : SavesSelf<LogBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.div(self()); }
};
struct SqrtBackward0 final : SavesResult<SqrtBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.div(result().mul(2)); }
};
struct RsqrtBackward0 final : SavesResult<RsqrtBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.mul(-0.5).mul(result().pow(3)); }
};
struct ReciprocalBackward0 final : SavesResult<ReciprocalBackward0> {
  Tensor d_self(const Tensor& grad) {
    const Tensor y = result();
    return grad.neg().mul(y.mul(y));
  }
};
struct AbsBackward0 final : SavesSelf<AbsBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.mul(self().sign()); }
};
struct SinBackward0 final : SavesSelf<SinBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.mul(self().cos()); }
};
struct CosBackward0 final : SavesSelf<CosBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.mul(self().sin().neg()); }
};
struct SignBackward0 final : SavesNothing<SignBackward0> {
  Tensor d_self(const Tensor& grad) { return zeros_like(grad); }
};
struct FloorBackward0 final : SavesNothing<FloorBackward0> {
  Tensor d_self(const Tensor& grad) { return zeros_like(grad); }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("neg", recorded<NegBackward0, &neg_op>);
  m.impl("neg_", recorded_inplace<NegBackward0, &neg__op>);
  m.impl("exp", recorded<ExpBackward0, &exp_op>);
  m.impl("exp_", recorded_inplace<ExpBackward0, &exp__op>);
  m.impl("log", recorded<LogBackward0, &log_op>);
  m.impl("log_", recorded_inplace<LogBackward0, &log__op>);
  m.impl("sqrt", recorded<SqrtBackward0, &sqrt_op>);
  m.impl("sqrt_", recorded_inplace<SqrtBackward0, &sqrt__op>);
  m.impl("rsqrt", recorded<RsqrtBackward0, &rsqrt_op>);
  m.impl("rsqrt_", recorded_inplace<RsqrtBackward0, &rsqrt__op>);
  m.impl("reciprocal", recorded<ReciprocalBackward0, &reciprocal_op>);
  m.impl("reciprocal_", recorded_inplace<ReciprocalBackward0, &reciprocal__op>);
  m.impl("abs", recorded<AbsBackward0, &abs_op>);
  m.impl("abs_", recorded_inplace<AbsBackward0, &abs__op>);
  m.impl("sign", recorded<SignBackward0, &sign_op>);
  m.impl("sign_", recorded_inplace<SignBackward0, &sign__op>);
  m.impl("floor", recorded<FloorBackward0, &floor_op>);
  m.impl("floor_", recorded_inplace<FloorBackward0, &floor__op>);
  m.impl("sin", recorded<SinBackward0, &sin_op>);
  m.impl("sin_", recorded_inplace<SinBackward0, &sin__op>);
  m.impl("cos", recorded<CosBackward0, &cos_op>);
  m.impl("cos_", recorded_inplace<CosBackward0, &cos__op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("neg_", bumps_version<&neg__op>);
  m.impl("exp_", bumps_version<&exp__op>);
  m.impl("log_", bumps_version<&log__op>);
  m.impl("sqrt_", bumps_version<&sqrt__op>);
  m.impl("rsqrt_", bumps_version<&rsqrt__op>);
  m.impl("reciprocal_", bumps_version<&reciprocal__op>);
  m.impl("abs_", bumps_version<&abs__op>);
  m.impl("sign_", bumps_version<&sign__op>);
  m.impl("floor_", bumps_version<&floor__op>);
  m.impl("sin_", bumps_version<&sin__op>);
  m.impl("cos_", bumps_version<&cos__op>);
}

}  // namespace gb::autograd
