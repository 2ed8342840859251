// The gradients of batched products: those of mm, batch by batch. Each factor is kept only where the other
// one's gradient is wanted.
#include "ops/bmm/bmm.h"
#include "ops/common/derivative.h"
#include "ops/mm/gradients.h"
#include "ops/t/t.h"

namespace gb::autograd {
namespace {

Tensor left_grad(const Tensor& grad, const Tensor& right) { return bmm(grad, transpose(right, 1, 2)); }
Tensor right_grad(const Tensor& grad, const Tensor& left) { return bmm(transpose(left, 1, 2), grad); }

struct BmmBackward0 final : FormulaNode<BmmBackward0> {
  Tensor d_self(const Tensor& grad) { return left_grad(grad, unpack(mat2_)); }
  Tensor d_mat2(const Tensor& grad) { return right_grad(grad, unpack(self_)); }
  static auto gradients() { return std::tuple{&BmmBackward0::d_self, &BmmBackward0::d_mat2}; }
  static auto fields() {
    return std::tuple{field("mat2", &BmmBackward0::mat2_), field("self", &BmmBackward0::self_)};
  }
  void save(const Tensor& self, const Tensor& mat2) {
    if (should_compute_output(0)) mat2_ = saved_input(mat2);
    if (should_compute_output(1)) self_ = saved_input(self);
  }
  SavedVariable self_, mat2_;
};

struct BaddbmmBackward0 final : FormulaNode<BaddbmmBackward0> {
  Tensor d_self(const Tensor& grad) { return maybe_multiply(grad, beta_); }
  Tensor d_batch1(const Tensor& grad) { return maybe_multiply(left_grad(grad, unpack(batch2_)), alpha_); }
  Tensor d_batch2(const Tensor& grad) { return maybe_multiply(right_grad(grad, unpack(batch1_)), alpha_); }
  static auto gradients() {
    return std::tuple{&BaddbmmBackward0::d_self, &BaddbmmBackward0::d_batch1, &BaddbmmBackward0::d_batch2};
  }
  static auto fields() {
    return std::tuple{field("alpha", &BaddbmmBackward0::alpha_), field("batch1", &BaddbmmBackward0::batch1_),
                      field("batch2", &BaddbmmBackward0::batch2_), field("beta", &BaddbmmBackward0::beta_)};
  }
  void save(const Tensor&, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
            const Scalar& alpha) {
    if (should_compute_output(1)) batch2_ = saved_input(batch2);
    if (should_compute_output(2)) batch1_ = saved_input(batch1);
    beta_ = beta, alpha_ = alpha;
  }
  SavedVariable batch1_, batch2_;
  Scalar beta_, alpha_;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("bmm", recorded<BmmBackward0, &bmm_op>);
  m.impl("baddbmm", recorded<BaddbmmBackward0, &baddbmm_op>);
  m.impl("baddbmm_", recorded_inplace<BaddbmmBackward0, &baddbmm__op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("baddbmm_", bumps_version<&baddbmm__op>); }

}  // namespace gb::autograd
