// The gradients of alpha * mat1 mat2, which mm and addmm share.
//
//   d mat1 = alpha * grad mat2^T        d mat2 = alpha * mat1^T grad
//
// A column-major operand gets a column-major gradient: (mat2 grad^T)^T and (grad^T mat1)^T. For mat2 = W.t()
// that makes the gradient of W itself, one t() later, contiguous. Source: mm_mat1_grad, mm_mat2_grad
// (FunctionsManual.cpp).
#pragma once

#include <vector>

#include "core/tensor.h"

namespace gb::autograd {

// What is kept of an operand where its values are not needed.
struct MatrixLayout {
  MatrixLayout() = default;
  explicit MatrixLayout(const Tensor& t)
      : column_major(t.strides()[0] == 1 && t.strides()[1] == t.sizes()[0]) {}
  bool column_major = false;
};

Tensor maybe_multiply(const Tensor& t, const Scalar& factor);  // t itself for a factor of 1
Tensor mm_mat1_grad(const Tensor& grad, const Tensor& mat2, MatrixLayout mat1, const Scalar& alpha);
Tensor mm_mat2_grad(const Tensor& grad, const Tensor& mat1, MatrixLayout mat2, const Scalar& alpha);

}  // namespace gb::autograd
