#include "ops/reductions/plan.h"

#include <fmt/format.h>

#include "ops/common/checks.h"

namespace gb {
namespace {

void check_mean_dtype(std::optional<ScalarType> asked, ScalarType own) {
  const ScalarType dtype = asked.value_or(own);
  GB_CHECK_OR_THROW(isFloatingType(dtype), Error,
                    .what = fmt::format(
                        "gb::mean: mean(): could not infer output dtype. {} dtype must be either a floating "
                        "point or complex dtype. Got: {}",
                        asked ? "Optional" : "Input", toString(dtype)),
                    .cause = "the mean of integers is not an integer",
                    .repair = "give a floating dtype: x.mean(kFloat)", .chapter = chapters::kTensors);
}

void check_amax_has_elements(const Tensor& self, OptionalIntArrayRef dim,
                             const std::vector<bool>& is_reduced) {
  if (self.numel() > 0) return;
  GB_CHECK_OR_THROW(dim && !dim->empty(), IndexError,
                    .what = "gb::amax: amax(): Expected reduction dim to be specified for input.numel() == 0",
                    .cause = fmt::format("self has sizes {}", to_string(self.sizes())),
                    .repair = "specify the reduction dim with the 'dim' argument",
                    .chapter = chapters::kTensors);
  for (size_t d = 0; d < is_reduced.size(); ++d) {
    GB_CHECK_OR_THROW(
        !is_reduced[d] || self.sizes()[d] != 0, IndexError,
        .what = fmt::format("gb::amax: amax(): Expected reduction dim {} to have non-zero size", d),
        .cause =
            fmt::format("self has sizes {}: there is no largest of no elements", to_string(self.sizes())),
        .repair = "reduce over dimensions that have elements", .chapter = chapters::kTensors);
  }
}

}  // namespace

std::vector<bool> reduced_dims(OptionalIntArrayRef dim, int64_t ndim, const char* op) {
  if (!dim || dim->empty()) return std::vector<bool>(static_cast<size_t>(ndim), true);
  std::vector<bool> reduced(static_cast<size_t>(ndim), false);
  bool scalar_seen = false;
  for (int64_t named : *dim) {
    const auto d = static_cast<size_t>(maybe_wrap_dim(named, ndim, op));
    const bool seen = ndim == 0 ? scalar_seen : reduced[d];
    GB_CHECK_OR_THROW(!seen, Error,
                      .what = fmt::format("gb::{}: dim {} appears multiple times in the list of dims", op, d),
                      .cause = fmt::format("dim is {}", to_string(*dim)),
                      .repair = "name each dimension once", .chapter = chapters::kTensors);
    if (ndim == 0)
      scalar_seen = true;  // a scalar counts as one dimension
    else
      reduced[d] = true;
  }
  return reduced;
}

ReductionPlan::ReductionPlan(cpu::ReduceOp op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                             std::optional<ScalarType> dtype)
    : input_dtype(ScalarType::Undefined),
      kernel_dtype(ScalarType::Undefined),
      output_dtype(ScalarType::Undefined) {
  const char* name = cpu::toString(op);
  check_defined(self, name, "self");
  is_reduced = reduced_dims(dim, self.dim(), name);
  if (op == cpu::ReduceOp::Mean) check_mean_dtype(dtype, self.scalar_type());
  if (op == cpu::ReduceOp::AMax) check_amax_has_elements(self, dim, is_reduced);
  const bool is_integer_sum =
      op == cpu::ReduceOp::Sum && isIntegralType(dtype.value_or(self.scalar_type()), true);
  input_dtype = dtype.value_or(self.scalar_type());
  kernel_dtype = is_integer_sum ? kLong : input_dtype;
  output_dtype = is_integer_sum ? dtype.value_or(kLong) : input_dtype;
  for (size_t d = 0; d < is_reduced.size(); ++d) {
    if (!is_reduced[d])
      sizes.push_back(self.sizes()[d]);
    else if (keepdim)
      sizes.push_back(1);
  }
}

cpu::Dims<2> ReductionPlan::kept(const Tensor& input) const {
  int64_t out_stride = 1;
  for (size_t d = 0; d < is_reduced.size(); ++d)
    if (!is_reduced[d]) out_stride *= input.sizes()[d];
  cpu::Dims<2> dims;
  for (size_t d = 0; d < is_reduced.size(); ++d) {
    if (is_reduced[d]) continue;
    const int64_t size = input.sizes()[d];
    if (size != 0) out_stride /= size;
    dims.push(size, {out_stride, input.strides()[d]});
  }
  return dims;
}

cpu::Dims<1> ReductionPlan::reduced(const Tensor& input) const {
  cpu::Dims<1> dims;
  for (size_t d = 0; d < is_reduced.size(); ++d)
    if (is_reduced[d]) dims.push(input.sizes()[d], {input.strides()[d]});
  return dims;
}

}  // namespace gb
