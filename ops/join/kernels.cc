// One kernel each for every backend: a row-major result, and copy_ into one view of it after the other.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/as_strided/make_view.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/type_promotion.h"
#include "ops/join/join.h"

namespace gb {

int64_t wrapped_cat_dim(TensorList tensors, int64_t dim) {
  for (const Tensor& t : tensors)
    if (!is_skipped_by_cat(t.sizes())) return maybe_wrap_dim(dim, t.dim(), "cat");
  return maybe_wrap_dim(dim, 1, "cat");
}

namespace {

void check_list(TensorList tensors, const char* op, const char* what_if_empty) {
  GB_CHECK_OR_THROW(!tensors.empty(), ValueError, .what = fmt::format("gb::{}: {}", op, what_if_empty),
                    .cause = "the list has no tensors, so the result would have no sizes",
                    .repair = "give at least one tensor", .chapter = chapters::kTensors);
  for (const Tensor& t : tensors) check_defined(t, op, "tensors");
  for (const Tensor& t : tensors) check_same_device_as(t, tensors[0].device(), op);
}

// Adds t's part of dimension `dim` to `sizes`, which are those of the tensors before it. In the others they
// have to agree.
void add_sizes(std::vector<int64_t>& sizes, const Tensor& t, size_t dim, size_t number) {
  GB_CHECK_OR_THROW(t.sizes().size() == sizes.size(), Error,
                    .what = fmt::format("gb::cat: Tensors must have same number of dimensions: got {} and {}",
                                        sizes.size(), t.dim()),
                    .cause = fmt::format("tensor number {} has sizes {}", number, to_string(t.sizes())),
                    .repair = "unsqueeze it, or use stack", .chapter = chapters::kTensors);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (d == dim) continue;
    GB_CHECK_OR_THROW(
        t.sizes()[d] == sizes[d], Error,
        .what = fmt::format(
            "gb::cat: Sizes of tensors must match except in dimension {}. Expected size {} but got "
            "size {} for tensor number {} in the list.",
            dim, sizes[d], t.sizes()[d], number),
        .cause = fmt::format("dimension {} is not the one they are joined along", d),
        .repair = "join along another dimension, or make the sizes equal", .chapter = chapters::kTensors);
  }
  sizes[dim] += t.sizes()[dim];
}

Tensor cat_kernel(TensorList tensors, int64_t dim) {
  check_list(tensors, "cat", "cat(): expected a non-empty list of Tensors");
  for (size_t i = 0; i < tensors.size(); ++i) {
    GB_CHECK_OR_THROW(
        tensors[i].dim() > 0, Error,
        .what = fmt::format("gb::cat: zero-dimensional tensor (at position {}) cannot be concatenated", i),
        .cause = "it has no dimension to be joined along", .repair = "use stack, or unsqueeze it",
        .chapter = chapters::kTensors);
  }
  const int64_t at = wrapped_cat_dim(tensors, dim);
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (is_skipped_by_cat(tensors[i].sizes())) continue;
    if (sizes.empty())
      sizes = tensors[i].sizes().vec();
    else
      add_sizes(sizes, tensors[i], static_cast<size_t>(at), i);
  }
  if (sizes.empty()) sizes = {0};
  const Tensor result = empty_on(tensors[0].device(), sizes, result_type(tensors));
  int64_t start = 0;
  for (const Tensor& t : tensors) {
    if (is_skipped_by_cat(t.sizes())) continue;
    const int64_t length = t.sizes()[static_cast<size_t>(at)];
    make_slice(result, at, start, length).copy_(t);
    start += length;
  }
  return result;
}

Tensor stack_kernel(TensorList tensors, int64_t dim) {
  check_list(tensors, "stack", "stack expects a non-empty TensorList");
  for (size_t i = 1; i < tensors.size(); ++i) {
    GB_CHECK_OR_THROW(
        tensors[i].sizes() == tensors[0].sizes(), Error,
        .what = fmt::format(
            "gb::stack: stack expects each tensor to be equal size, but got {} at entry 0 and {} at "
            "entry {}",
            to_string(tensors[0].sizes()), to_string(tensors[i].sizes()), i),
        .cause = "the new dimension counts the tensors", .repair = "use cat, or make the sizes equal",
        .chapter = chapters::kTensors);
  }
  const int64_t at = maybe_wrap_dim(dim, tensors[0].dim() + 1, "stack");
  std::vector<int64_t> sizes = tensors[0].sizes().vec();
  sizes.insert(sizes.begin() + at, static_cast<int64_t>(tensors.size()));
  const Tensor result = empty_on(tensors[0].device(), sizes, result_type(tensors));
  for (size_t i = 0; i < tensors.size(); ++i)
    make_selection(result, at, static_cast<int64_t>(i)).copy_(tensors[i]);
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("cat", GB_FN(cat_kernel));
  m.impl("stack", GB_FN(stack_kernel));
}

}  // namespace gb
