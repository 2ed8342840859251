// One kernel each for every backend: a view touches no element, and what the gradients write, copy_ writes.
#include <fmt/format.h>

#include <algorithm>

#include "dispatcher/library.h"
#include "ops/as_strided/make_view.h"
#include "ops/factories/factories.h"
#include "ops/views/views.h"

namespace gb {
namespace {

[[noreturn, gnu::cold]] void throw_zero_dim(const char* op) {
  GB_THROW(IndexError, .what = fmt::format("gb::{0}: {0}() cannot be applied to a 0-dim tensor.", op),
           .cause = "a scalar has no dimension to take a part of", .repair = "unsqueeze it first",
           .chapter = chapters::kTensors);
}

Tensor permute_kernel(const Tensor& self, IntArrayRef dims) {
  const size_t rank = self.sizes().size();
  GB_CHECK_OR_THROW(
      dims.size() == rank, Error,
      .what = fmt::format(
          "gb::permute: number of dimensions in the tensor input does not match the length of "
          "the desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
          rank, dims.size()),
      .cause = fmt::format("self has sizes {}, dims are {}", to_string(self.sizes()), to_string(dims)),
      .repair = "name every dimension once", .chapter = chapters::kTensors);
  impl::SizesAndStrides geometry;
  geometry.resize(rank);
  std::vector<bool> seen(rank, false);
  for (size_t d = 0; d < rank; ++d) {
    const auto from = static_cast<size_t>(maybe_wrap_dim(dims[d], self.dim(), "permute"));
    GB_CHECK_OR_THROW(!seen[from], Error, .what = "gb::permute: permute(): duplicate dims are not allowed.",
                      .cause = fmt::format("dimension {} stands twice in {}", from, to_string(dims)),
                      .repair = "name every dimension once", .chapter = chapters::kTensors);
    seen[from] = true;
    geometry.size_at_unchecked(d) = self.sizes()[from];
    geometry.stride_at_unchecked(d) = self.strides()[from];
  }
  return make_view(self, geometry);
}

Tensor select_kernel(const Tensor& self, int64_t dim, int64_t index) {
  if (self.dim() == 0) throw_zero_dim("select");
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "select");
  const int64_t size = self.sizes()[static_cast<size_t>(at)];
  GB_CHECK_OR_THROW(
      index >= -size && index < size, IndexError,
      .what = fmt::format("gb::select: select(): index {} out of range for tensor of size {} at dimension {}",
                          index, to_string(self.sizes()), at),
      .cause = fmt::format("the dimension has {} elements", size),
      .repair = size == 0 ? std::string("there is nothing to select")
                          : fmt::format("indices lie in [{}, {}]", -size, size - 1),
      .chapter = chapters::kTensors);
  return make_selection(self, at, index < 0 ? index + size : index);
}

Tensor slice_kernel(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                    int64_t step) {
  if (self.dim() == 0) throw_zero_dim("slice");
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "slice");
  GB_CHECK_OR_THROW(step > 0, ValueError, .what = "gb::slice: slice step must be positive",
                    .cause = fmt::format("step is {}", step), .repair = "flip the tensor to walk backwards",
                    .chapter = chapters::kTensors);
  const int64_t size = self.sizes()[static_cast<size_t>(at)];
  const auto inside = [size](int64_t i, int64_t low) { return std::clamp(i < 0 ? i + size : i, low, size); };
  const int64_t first = inside(start.value_or(0), 0), last = inside(end.value_or(size), first);
  return make_slice(self, at, first, (last - first) / step + ((last - first) % step != 0), step);
}

Tensor narrow_composite(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  if (self.dim() == 0) throw_zero_dim("narrow");
  GB_CHECK_OR_THROW(length >= 0, ValueError, .what = "gb::narrow: narrow(): length must be non-negative.",
                    .cause = fmt::format("length is {}", length), .repair = "give a length of at least 0",
                    .chapter = chapters::kTensors);
  const int64_t size = self.size(dim);
  GB_CHECK_OR_THROW(
      start >= -size && start <= size, IndexError,
      .what = fmt::format("gb::narrow: start out of range (expected to be in range of [{}, {}], but got {})",
                          -size, size, start),
      .cause = fmt::format("dimension {} has {} elements", dim, size), .repair = "start inside the dimension",
      .chapter = chapters::kTensors);
  const int64_t first = start < 0 ? start + size : start;
  GB_CHECK_OR_THROW(length <= size - first, ValueError,
                    .what = fmt::format("gb::narrow: start ({}) + length ({}) exceeds dimension size ({}).",
                                        first, length, size),
                    .cause = fmt::format("only {} elements follow", size - first),
                    .repair = "use slice, which stops at the end", .chapter = chapters::kTensors);
  return slice(self, dim, first, first + length, 1);
}

Tensor diagonal_kernel(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  const auto row = static_cast<size_t>(maybe_wrap_dim(dim1, self.dim(), "diagonal"));
  const auto column = static_cast<size_t>(maybe_wrap_dim(dim2, self.dim(), "diagonal"));
  GB_CHECK_OR_THROW(
      self.dim() >= 2 && row != column, Error,
      .what = fmt::format("gb::diagonal: diagonal dimensions cannot be identical {}, {}", dim1, dim2),
      .cause = fmt::format("self has sizes {}", to_string(self.sizes())), .repair = "name two dimensions",
      .chapter = chapters::kTensors);
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  // Where it starts: `offset` columns to the right, or as many rows down. An offset outside of the matrix: an
  // empty diagonal.
  const int64_t down = std::clamp(offset >= 0 ? 0 : -std::max(offset, -sizes[row]), int64_t{0}, sizes[row]);
  const int64_t right = std::clamp(offset, int64_t{0}, sizes[column]);
  const int64_t length = std::min(sizes[row] - down, sizes[column] - right);
  std::vector<int64_t> kept_sizes, kept_strides;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (d == row || d == column) continue;
    kept_sizes.push_back(sizes[d]);
    kept_strides.push_back(strides[d]);
  }
  kept_sizes.push_back(length);
  kept_strides.push_back(strides[row] + strides[column]);
  impl::SizesAndStrides geometry;
  geometry.set_sizes(kept_sizes);
  geometry.set_strides(kept_strides);
  return make_view(self, geometry,
                   self.storage_offset() + (length == 0 ? 0 : down * strides[row] + right * strides[column]));
}

Tensor alias_kernel(const Tensor& self) { return make_view(self, self.unsafeGetTensorImpl()->geometry()); }

Tensor select_backward_kernel(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim,
                              int64_t index) {
  const Tensor grad_input = zeros(input_sizes, grad_output.options());
  select_kernel(grad_input, dim, index).copy_(grad_output);
  return grad_input;
}

Tensor slice_backward_kernel(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim, int64_t start,
                             int64_t end, int64_t step) {
  const Tensor grad_input = zeros(input_sizes, grad_output.options());
  slice_kernel(grad_input, dim, start, end, step).copy_(grad_output);
  return grad_input;
}

Tensor diagonal_backward_kernel(const Tensor& grad_output, IntArrayRef input_sizes, int64_t offset,
                                int64_t dim1, int64_t dim2) {
  const Tensor grad_input = zeros(input_sizes, grad_output.options());
  diagonal_kernel(grad_input, offset, dim1, dim2).copy_(grad_output);
  return grad_input;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("permute", GB_FN(permute_kernel));
  m.impl("select.int", GB_FN(select_kernel));
  m.impl("slice.Tensor", GB_FN(slice_kernel));
  m.impl("select_backward", GB_FN(select_backward_kernel));
  m.impl("slice_backward", GB_FN(slice_backward_kernel));
  m.impl("diagonal", GB_FN(diagonal_kernel));
  m.impl("diagonal_backward", GB_FN(diagonal_backward_kernel));
  m.impl("alias", GB_FN(alias_kernel));
}
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) { m.impl("narrow", GB_FN(narrow_composite)); }

}  // namespace gb
