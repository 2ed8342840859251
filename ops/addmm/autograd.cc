// AddmmBackward0: the product's gradients are those of mm times alpha (ops/mm/gradients.h); self's is beta *
// grad, summed over what was broadcast. mat1 and mat2 are kept only where the other one requires grad; mat2
// as it came, so for a linear layer the transposed view.
#include "ops/addmm/addmm.h"
#include "ops/common/record.h"
#include "ops/mm/gradients.h"

namespace gb::autograd {
namespace {

struct AddmmBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    variable_list result(3);
    const Tensor& grad = grads[0];
    if (!grad.defined()) return result;
    if (task_should_compute_output(0)) result[0] = sum_to(maybe_multiply(grad, beta_), self_sizes_);
    if (task_should_compute_output(1))
      result[1] = mm_mat1_grad(grad, mat2_.unpack(), mat1_layout_, alpha_);
    if (task_should_compute_output(2))
      result[2] = mm_mat2_grad(grad, mat1_.unpack(), mat2_layout_, alpha_);
    return result;
  }
  void release_variables() override {
    mat1_.reset_data();
    mat2_.reset_data();
  }
  std::vector<SavedField> saved() const override {
    return {{"mat1", &mat1_},
            {"mat2", &mat2_},
            {"beta", to_string(beta_)},
            {"alpha", to_string(alpha_)},
            {"self_sizes", to_string(IntArrayRef(self_sizes_))}};
  }

  SavedVariable mat1_, mat2_;
  MatrixLayout mat1_layout_, mat2_layout_;
  std::vector<int64_t> self_sizes_;
  Scalar beta_, alpha_;
};

Tensor addmm_autograd(DispatchKeySet ks, const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                      const Scalar& beta, const Scalar& alpha) {
  std::shared_ptr<AddmmBackward0> grad_fn;
  if (mat1.dim() == 2 && mat2.dim() == 2)  // else the kernel throws
    grad_fn = make_node<AddmmBackward0>(self, mat1, mat2);
  if (grad_fn) {
    grad_fn->self_sizes_ = self.sizes().vec();
    grad_fn->beta_ = beta;
    grad_fn->alpha_ = alpha;
    grad_fn->mat1_layout_ = MatrixLayout(mat1);
    grad_fn->mat2_layout_ = MatrixLayout(mat2);
    if (grad_fn->should_compute_output(1)) grad_fn->mat2_ = SavedVariable(mat2, false);
    if (grad_fn->should_compute_output(2)) grad_fn->mat1_ = SavedVariable(mat1, false);
  }
  return record(grad_fn, [&] {
    return addmm_op().redispatch(ks & after_autograd_keyset, self, mat1, mat2, beta, alpha);
  });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("addmm", GB_FN(addmm_autograd)); }

}  // namespace gb::autograd
