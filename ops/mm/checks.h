// What products of matrices demand of their operands; each throws before anything is made.
#pragma once

#include "core/tensor.h"

namespace gb {

// mat1 [m, k] and mat2 [k, n]: matrices of one dtype on one device ("mat1 and mat2 shapes cannot be
// multiplied (2x64 and 63x600)", "expected mat1 and mat2 to have the same dtype, but got: float != double").
void check_matrix_product(const Tensor& mat1, const Tensor& mat2, const char* op);

// A factor of integer matrices must be an integer ("For integral input tensors, argument alpha must not be a floating
// point number").
void check_factor(const char* op, const Scalar& factor, const char* name, ScalarType dtype);

}  // namespace gb
