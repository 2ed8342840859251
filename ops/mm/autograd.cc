// MmBackward0: see gradients.h. Each operand is kept only where the other one requires grad.
#include "ops/common/record.h"
#include "ops/mm/gradients.h"
#include "ops/mm/mm.h"

namespace gb::autograd {
namespace {

struct MmBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    variable_list result(2);
    const Tensor& grad = grads[0];
    if (!grad.defined()) return result;
    if (task_should_compute_output(0))
      result[0] = mm_mat1_grad(grad, mat2_.unpack(), self_layout_, 1);
    if (task_should_compute_output(1))
      result[1] = mm_mat2_grad(grad, self_.unpack(), mat2_layout_, 1);
    return result;
  }
  void release_variables() override {
    self_.reset_data();
    mat2_.reset_data();
  }
  std::vector<SavedField> saved() const override { return {{"self", &self_}, {"mat2", &mat2_}}; }

  SavedVariable self_, mat2_;
  MatrixLayout self_layout_, mat2_layout_;
};

Tensor mm_autograd(DispatchKeySet ks, const Tensor& self, const Tensor& mat2) {
  std::shared_ptr<MmBackward0> grad_fn;
  if (self.dim() == 2 && mat2.dim() == 2) grad_fn = make_node<MmBackward0>(self, mat2);  // else the kernel throws
  if (grad_fn) {
    grad_fn->self_layout_ = MatrixLayout(self);
    grad_fn->mat2_layout_ = MatrixLayout(mat2);
    if (grad_fn->should_compute_output(0)) grad_fn->mat2_ = SavedVariable(mat2, false);
    if (grad_fn->should_compute_output(1)) grad_fn->self_ = SavedVariable(self, false);
  }
  return record(grad_fn, [&] { return mm_op().redispatch(ks & after_autograd_keyset, self, mat2); });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("mm", GB_FN(mm_autograd)); }

}  // namespace gb::autograd
