// Made of other operators, for every device; each has a gradient of its own.
#include <fmt/format.h>

#include <cmath>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/type_promotion.h"
#include "ops/norm/norm.h"
#include "ops/reductions/plan.h"
#include "ops/reductions/reductions.h"

namespace gb {
namespace {

void check_dtype(const char* op, const char* words, const Tensor& self, std::optional<ScalarType> dtype) {
  check_defined(self, op, "self");
  const ScalarType asked = dtype.value_or(self.scalar_type());
  GB_CHECK_OR_THROW(self.is_floating_point() && isFloatingType(asked), Error,
                    .what = fmt::format("gb::{}: {}. Got {}", op, words,
                                        toString(self.is_floating_point() ? asked : self.scalar_type())),
                    .cause = "the length of integers is no integer",
                    .repair = "convert it first: self.to(kFloat)", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(promoteTypes(self.scalar_type(), asked) == asked, Error,
                    .what = fmt::format(
                        "gb::{}: the dtype of the input ({}) should be convertible without narrowing to the "
                        "specified dtype ({})",
                        op, toString(self.scalar_type()), toString(asked)),
                    .cause = "dtype is what the norm is computed in", .repair = "give a wider one, or none",
                    .chapter = chapters::kTensors);
}

// The smallest, the largest and the powers below 0 of nothing are not defined.
void check_has_identity(const Tensor& self, double ord, OptionalIntArrayRef dim,
                        const std::vector<bool>& reduced) {
  if (self.numel() > 0 || (ord >= 0 && !std::isinf(ord))) return;
  bool defined = dim && !dim->empty();
  for (size_t d = 0; d < reduced.size(); ++d) defined &= !reduced[d] || self.sizes()[d] != 0;
  GB_CHECK_OR_THROW(
      defined, Error,
      .what = fmt::format(
          "gb::linalg_vector_norm: linalg.vector_norm cannot compute the {} norm on an empty tensor "
          "because the operation does not have an identity",
          ord),
      .cause = fmt::format("self has sizes {}", to_string(self.sizes())),
      .repair = "reduce over dimensions that have elements", .chapter = chapters::kTensors);
}

Tensor vector_norm_kernel(const Tensor& self, const Scalar& ord_, OptionalIntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  check_dtype("linalg_vector_norm",
              "linalg.vector_norm: Expected a floating point or complex tensor as input", self, dtype);
  const double ord = ord_.toDouble();
  const std::vector<bool> reduced = reduced_dims(dim, self.dim(), "linalg_vector_norm");
  check_has_identity(self, ord, dim, reduced);
  const std::vector<int64_t> dims = list_of(reduced);
  const ScalarType asked = dtype.value_or(self.scalar_type());
  const Tensor x = self.to(elementSize(asked) == 2 ? kFloat : asked);
  Tensor result;
  if (ord == 2)
    result = x.mul(x).sum(dims, keepdim).sqrt();
  else if (ord == 1)
    result = x.abs().sum(dims, keepdim);
  else if (ord == 0)
    result = x.ne(0).sum(dims, keepdim, x.scalar_type());
  else if (std::isinf(ord))
    result = ord > 0 ? x.abs().amax(dims, keepdim) : x.abs().amin(dims, keepdim);
  else
    result = x.abs().pow(ord).sum(dims, keepdim).pow(1 / ord);
  return result.to(asked);
}

// norm, all forms of it.
Tensor norm_of(const Tensor& self, OptionalScalar p, OptionalIntArrayRef dim, bool keepdim,
               std::optional<ScalarType> dtype) {
  check_dtype("norm", "norm(): input dtype should be either floating point or complex", self, dtype);
  return linalg_vector_norm(self, p.value_or(Scalar(2)), dim, keepdim, dtype);
}
Tensor norm_kernel(const Tensor& self, const Scalar& p) { return norm_of(self, p, {}, false, {}); }
Tensor norm_dtype_kernel(const Tensor& self, OptionalScalar p, ScalarType dtype) {
  return norm_of(self, p, {}, false, dtype);
}
Tensor norm_dim_kernel(const Tensor& self, OptionalScalar p, IntArrayRef dim, bool keepdim) {
  return norm_of(self, p, dim, keepdim, {});
}
Tensor norm_dim_dtype_kernel(const Tensor& self, OptionalScalar p, IntArrayRef dim, bool keepdim,
                             ScalarType dtype) {
  return norm_of(self, p, dim, keepdim, dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("norm.Scalar", GB_FN(norm_kernel));
  m.impl("norm.ScalarOpt_dtype", GB_FN(norm_dtype_kernel));
  m.impl("norm.ScalarOpt_dim", GB_FN(norm_dim_kernel));
  m.impl("norm.ScalarOpt_dim_dtype", GB_FN(norm_dim_dtype_kernel));
  m.impl("linalg_vector_norm", GB_FN(vector_norm_kernel));
}

}  // namespace gb
