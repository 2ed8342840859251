#include "ops/reductions/plan.h"

#include <fmt/format.h>

#include "ops/common/checks.h"
#include "ops/t/t.h"

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

std::vector<int64_t> list_of(const std::vector<bool>& reduced) {
  std::vector<int64_t> list;
  for (size_t d = 0; d < reduced.size(); ++d)
    if (reduced[d]) list.push_back(static_cast<int64_t>(d));
  return list;
}

int64_t count_of(const std::vector<bool>& reduced, IntArrayRef sizes) {
  int64_t n = 1;
  for (size_t d = 0; d < reduced.size(); ++d)
    if (reduced[d]) n *= sizes[d];
  return n;
}

Tensor restore_reduced_dims(const Tensor& t, const std::vector<bool>& reduced, bool keepdim) {
  Tensor restored = t;
  for (size_t d = 0; !keepdim && d < reduced.size(); ++d)
    if (reduced[d]) restored = unsqueeze(restored, static_cast<int64_t>(d));
  return restored;
}

void check_has_elements(const char* op, const Tensor& self, OptionalIntArrayRef dim,
                        const std::vector<bool>& reduced) {
  if (self.numel() > 0) return;
  GB_CHECK_OR_THROW(
      dim && !dim->empty(), IndexError,
      .what = fmt::format("gb::{0}: {0}(): Expected reduction dim to be specified for input.numel() == 0", op),
      .cause = fmt::format("self has sizes {}", to_string(self.sizes())),
      .repair = "specify the reduction dim with the 'dim' argument", .chapter = chapters::kTensors);
  for (size_t d = 0; d < reduced.size(); ++d) {
    GB_CHECK_OR_THROW(
        !reduced[d] || self.sizes()[d] != 0, IndexError,
        .what = fmt::format("gb::{0}: {0}(): Expected reduction dim {1} to have non-zero size", op, d),
        .cause =
            fmt::format("self has sizes {}: no element is the first of none", to_string(self.sizes())),
        .repair = "reduce over dimensions that have elements", .chapter = chapters::kTensors);
  }
}

ReductionPlan::ReductionPlan(cpu::ReduceOp op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                             std::optional<ScalarType> dtype, const char* name_)
    : input_dtype(ScalarType::Undefined),
      kernel_dtype(ScalarType::Undefined),
      output_dtype(ScalarType::Undefined) {
  const char* name = name_ ? name_ : cpu::toString(op);
  check_defined(self, name, "self");
  const bool is_truth = op == cpu::ReduceOp::Any || op == cpu::ReduceOp::All;
  is_reduced = is_truth && dim && dim->empty() ? std::vector<bool>(static_cast<size_t>(self.dim()), false)
                                               : reduced_dims(dim, self.dim(), name);
  if (op == cpu::ReduceOp::Mean) check_mean_dtype(dtype, self.scalar_type());
  if (op == cpu::ReduceOp::AMax || op == cpu::ReduceOp::AMin) check_has_elements(name, self, dim, is_reduced);
  const bool grows = op == cpu::ReduceOp::Sum || op == cpu::ReduceOp::Prod;
  const bool counts = grows && isIntegralType(dtype.value_or(self.scalar_type()), true);  // in int64
  input_dtype = dtype.value_or(self.scalar_type());
  kernel_dtype = counts ? kLong : input_dtype;
  output_dtype = counts ? dtype.value_or(kLong) : input_dtype;
  if (is_truth) kernel_dtype = output_dtype = kBool;
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
