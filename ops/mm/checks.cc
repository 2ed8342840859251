#include "ops/mm/checks.h"

#include <fmt/format.h>

#include "ops/common/checks.h"

namespace gb {

void check_matrix_product(const Tensor& mat1, const Tensor& mat2, const char* op) {
  check_defined(mat1, op, "mat1");
  check_defined(mat2, op, "mat2");
  GB_CHECK_OR_THROW(
      mat1.dim() == 2 && mat2.dim() == 2, Error,
      .what = fmt::format("gb::{}: {} must be a matrix, got {}-D tensor", op,
                          mat1.dim() != 2 ? "mat1" : "mat2", mat1.dim() != 2 ? mat1.dim() : mat2.dim()),
      .cause = fmt::format("mat1 has sizes {}, mat2 has sizes {}", to_string(mat1.sizes()),
                           to_string(mat2.sizes())),
      .repair = "reshape each to two dimensions", .chapter = chapters::kTensors);
  const int64_t m = mat1.sizes()[0], k = mat1.sizes()[1], n = mat2.sizes()[1];
  GB_CHECK_OR_THROW(
      k == mat2.sizes()[0], Error,
      .what = fmt::format("gb::{}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", op, m, k,
                          mat2.sizes()[0], n),
      .cause = fmt::format("mat1 has {} columns, mat2 has {} rows", k, mat2.sizes()[0]),
      .repair = "the inner sizes must agree; transpose one with .t() if it is stored the other way round",
      .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      mat1.scalar_type() == mat2.scalar_type(), Error,
      .what = fmt::format("gb::{}: expected mat1 and mat2 to have the same dtype, but got: {} != {}", op,
                          mat1.dtype().name(), mat2.dtype().name()),
      .cause = "matrix products do not promote their operands",
      .repair = "convert one: mat2.to(mat1.scalar_type())", .chapter = chapters::kTensors);
  check_same_device_as(mat2, mat1.device(), op);
}

void check_factor(const char* op, const Scalar& factor, const char* name, ScalarType dtype) {
  GB_CHECK_OR_THROW(
      !isIntegralType(dtype, true) || !factor.isFloatingPoint(), Error,
      .what = fmt::format("gb::{}: For integral input tensors, argument {} must not be a floating point number", op,
                          name),
      .cause = fmt::format("{} is {}, the tensors are {}", name, to_string(factor), toString(dtype)),
      .repair = "pass an integer, or convert the tensors to a floating dtype", .chapter = chapters::kTensors);
}

}  // namespace gb
