// The CPU and Meta kernels, and the composite that is index_select's gradient.
#include <fmt/format.h>

#include <algorithm>

#include "dispatcher/library.h"
#include "kernels/cpu/gather.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/factories/factories.h"
#include "ops/gather/checks.h"
#include "ops/index_select/index_select.h"
#include "ops/index_select/plan.h"

namespace gb {
namespace {

void check_index(const char* op, const Tensor& self, const Tensor& index) {
  check_defined(self, op, "self");
  check_defined(index, op, "index");
  GB_CHECK_OR_THROW(index.dim() <= 1, IndexError,
                    .what = fmt::format("gb::{0}: {0}(): Index is supposed to be a vector", op),
                    .cause = fmt::format("index has sizes {}", to_string(index.sizes())),
                    .repair = "use gather, or flatten it", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(index.scalar_type() == kLong || index.scalar_type() == kInt, Error,
                    .what = fmt::format("gb::{0}: {0}(): Expected dtype int32 or int64 for index", op),
                    .cause = fmt::format("index is {}", toString(index.scalar_type())),
                    .repair = "convert it: index.to(kLong)", .chapter = chapters::kTensors);
  check_same_device_as(index, self.device(), op);
}

// Have both as many dimensions (a scalar counts as one), of the same sizes but in dim?
bool fits(const Tensor& self, const Tensor& source, int64_t dim) {
  if (std::max<int64_t>(self.dim(), 1) != std::max<int64_t>(source.dim(), 1)) return false;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (d != dim && self.size(d) != source.size(d)) return false;
  return true;
}

}  // namespace

cpu::Dims<3> slice_space(const Tensor& first, const Tensor& second, const Tensor& slices, int64_t dim) {
  cpu::Dims<3> space;
  if (slices.dim() == 0) return space;
  for (int64_t d = 0; d < slices.dim(); ++d) {
    const bool indexed = d == dim;
    const auto stride = [&](const Tensor& t) {
      return indexed && !t.is_same(slices) ? 0 : stride_or_one(t, d);
    };
    space.push(size_or_one(slices, d), {stride(first), stride(second), indexed ? 1 : 0});
  }
  return space;
}

Tensor index_select_result(const Tensor& self, int64_t dim, const Tensor& index) {
  check_index("index_select", self, index);
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "index_select");
  std::vector<int64_t> sizes = self.sizes().vec();
  GB_CHECK_OR_THROW(self.dim() > 0 || index.numel() == 1, Error,
                    .what = "gb::index_select: index_select(): Index to scalar can have only 1 value",
                    .cause = fmt::format("index has {} values", index.numel()), .repair = "unsqueeze self",
                    .chapter = chapters::kTensors);
  if (self.dim() > 0) sizes[static_cast<size_t>(at)] = index.numel();
  check_sizes(sizes, self.scalar_type(), "index_select");
  return empty_on(self.device(), sizes, self.scalar_type());
}

void check_index_add_(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  check_index("index_add_", self, index);
  check_defined(source, "index_add_", "source");
  check_same_device_as(source, self.device(), "index_add_");
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "index_add_");
  GB_CHECK_OR_THROW(
      self.scalar_type() == source.scalar_type(), Error,
      .what = fmt::format(
          "gb::index_add_: index_add_(): self ({}) and source ({}) must have the same scalar type",
          toString(self.scalar_type()), toString(source.scalar_type())),
      .cause = "what is added is not converted", .repair = "convert one: source.to(self.scalar_type())",
      .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      fits(self, source, at), Error,
      .what = fmt::format(
          "gb::index_add_: source tensor shape must match self tensor shape, excluding the specified "
          "dimension. Got self.shape = {} source.shape = {}",
          to_string(self.sizes()), to_string(source.sizes())),
      .cause = fmt::format("slices of dimension {} are added", at), .repair = "expand source",
      .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      index.numel() == size_or_one(source, source.dim() == 0 ? 0 : at), Error,
      .what = fmt::format(
          "gb::index_add_: index_add_(): Number of indices ({}) should be equal to source.size(dim)",
          index.numel()),
      .cause = fmt::format("source has sizes {}", to_string(source.sizes())),
      .repair = "give one index per slice", .chapter = chapters::kTensors);
  check_no_internal_overlap(self, "index_add_");
  check_no_partial_overlap(self, source, "index_add_");
}

namespace {

Tensor index_select_cpu(const Tensor& self, int64_t dim, const Tensor& index) {
  const Tensor result = index_select_result(self, dim, index), places = index.to(kLong).contiguous();
  if (result.numel() == 0) return result;
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "index_select"), size = size_or_one(self, at);
  const cpu::BadIndex bad = cpu::gather(self.scalar_type(), result.mutable_data_ptr(), self.const_data_ptr(),
                                        places.const_data_ptr<int64_t>(),
                                        slice_space(result, self, result, at), size, stride_or_one(self, at));
  check_indices("index_select", bad, at, size);
  return result;
}

Tensor& index_add__meta(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar&) {
  check_index_add_(self, dim, index, source);
  return self;
}

Tensor& index_add__cpu(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                       const Scalar& alpha) {
  check_index_add_(self, dim, index, source);
  if (source.numel() == 0) return self;
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "index_add_"), size = size_or_one(self, at);
  const Tensor added = source.mul(alpha).to(self.scalar_type()), places = index.to(kLong).contiguous();
  const cpu::BadIndex bad = cpu::scatter_add(
      self.scalar_type(), self.mutable_data_ptr(), added.const_data_ptr(), places.const_data_ptr<int64_t>(),
      slice_space(self, added, added, at), size, stride_or_one(self, at));
  check_indices("index_add_", bad, at, size);
  return self;
}

Tensor index_add_kernel(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                        const Scalar& alpha) {
  check_defined(self, "index_add", "self");
  return self.clone(MemoryFormat::Contiguous).index_add_(dim, index, source, alpha);
}

Tensor index_select_backward_composite(const Tensor& grad, IntArrayRef self_sizes, int64_t dim,
                                       const Tensor& index) {
  return zeros(self_sizes, grad.options()).index_add(dim, index, grad);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("index_select", GB_FN(index_select_cpu));
  m.impl("index_add_", GB_FN(index_add__cpu));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("index_select", GB_FN(index_select_result));
  m.impl("index_add_", GB_FN(index_add__meta));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("index_add", GB_FN(index_add_kernel)); }
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("index_select_backward", GB_FN(index_select_backward_composite));
}

}  // namespace gb
