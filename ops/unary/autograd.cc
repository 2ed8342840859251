// The gradients of neg, exp and log.
//
//   neg    d self = -grad
//   exp    d self = grad * result      saves its own output: that is the derivative already
//   log    d self = grad / self
#include "ops/common/derivative.h"
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

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("neg", recorded<NegBackward0, &neg_op>);
  m.impl("neg_", recorded_inplace<NegBackward0, &neg__op>);
  m.impl("exp", recorded<ExpBackward0, &exp_op>);
  m.impl("exp_", recorded_inplace<ExpBackward0, &exp__op>);
  m.impl("log", recorded<LogBackward0, &log_op>);
  m.impl("log_", recorded_inplace<LogBackward0, &log__op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("neg_", bumps_version<&neg__op>);
  m.impl("exp_", bumps_version<&exp__op>);
  m.impl("log_", bumps_version<&log__op>);
}

}  // namespace gb::autograd
