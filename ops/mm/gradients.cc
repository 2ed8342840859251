#include "ops/mm/gradients.h"

namespace gb::autograd {

Tensor maybe_multiply(const Tensor& t, const Scalar& factor) { return factor.equal(1) ? t : t.mul(factor); }

Tensor mm_mat1_grad(const Tensor& grad, const Tensor& mat2, MatrixLayout mat1, const Scalar& alpha) {
  return maybe_multiply(mat1.column_major ? mat2.mm(grad.t()).t() : grad.mm(mat2.t()), alpha);
}

Tensor mm_mat2_grad(const Tensor& grad, const Tensor& mat1, MatrixLayout mat2, const Scalar& alpha) {
  return maybe_multiply(mat2.column_major ? grad.t().mm(mat1).t() : mat1.t().mm(grad), alpha);
}

}  // namespace gb::autograd
