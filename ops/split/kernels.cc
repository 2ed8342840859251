// One kernel each for every backend, since no element is touched.
#include <fmt/format.h>

#include <algorithm>

#include "dispatcher/library.h"
#include "ops/as_strided/make_view.h"
#include "ops/split/split.h"

namespace gb {

std::vector<int64_t> split_lengths(int64_t size, int64_t split_size) {
  std::vector<int64_t> lengths;
  for (int64_t left = size; left > 0; left -= lengths.back()) lengths.push_back(std::min(left, split_size));
  if (lengths.empty()) lengths.push_back(0);
  return lengths;
}

namespace {

void check_has_dims(const Tensor& self, const char* op) {
  GB_CHECK_OR_THROW(self.dim() > 0, Error,
                    .what = fmt::format("gb::{0}: {0} expects at least a 1-dimensional tensor", op),
                    .cause = "self is 0-dim", .repair = "unsqueeze it first", .chapter = chapters::kTensors);
}

// The slices of these lengths, which together fill the dimension.
std::vector<Tensor> cut(const Tensor& self, int64_t dim, IntArrayRef lengths) {
  std::vector<Tensor> parts;
  parts.reserve(lengths.size());
  int64_t start = 0;
  for (const int64_t length : lengths) {
    parts.push_back(make_slice(self, dim, start, length));
    start += length;
  }
  return parts;
}

std::vector<Tensor> split_kernel(const Tensor& self, int64_t split_size, int64_t dim) {
  check_has_dims(self, "split");
  GB_CHECK_OR_THROW(
      split_size >= 0, ValueError,
      .what = fmt::format("gb::split: split expects split_size be non-negative, but got split_size={}",
                          split_size),
      .cause = "it is the number of elements of one part", .repair = "give a split_size of at least 1",
      .chapter = chapters::kTensors);
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "split");
  const int64_t size = self.sizes()[static_cast<size_t>(at)];
  GB_CHECK_OR_THROW(
      split_size > 0 || size == 0, ValueError,
      .what = fmt::format(
          "gb::split: split_size can only be 0 if dimension size is 0, but got dimension size of {}", size),
      .cause = "parts without elements never fill the dimension", .repair = "give a split_size of at least 1",
      .chapter = chapters::kTensors);
  return cut(self, at, split_lengths(size, split_size));
}

std::vector<Tensor> split_with_sizes_kernel(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  check_has_dims(self, "split_with_sizes");
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "split_with_sizes");
  const int64_t size = self.sizes()[static_cast<size_t>(at)];
  int64_t left = size;
  for (const int64_t length : split_sizes) {
    GB_CHECK_OR_THROW(length >= 0, ValueError,
                      .what = fmt::format(
                          "gb::split_with_sizes: split_with_sizes expects split_sizes have only non-negative "
                          "entries, but got split_sizes={}",
                          to_string(split_sizes)),
                      .cause = "each is the number of elements of one part",
                      .repair = "give lengths of at least 0", .chapter = chapters::kTensors);
    if (left >= 0) left -= length;
  }
  GB_CHECK_OR_THROW(
      left == 0, ValueError,
      .what = fmt::format(
          "gb::split_with_sizes: split_with_sizes expects split_sizes to sum exactly to {} (input "
          "tensor's size at dimension {}), but got split_sizes={}",
          size, at, to_string(split_sizes)),
      .cause = left > 0 ? fmt::format("{} elements are left over", left) : std::string("their sum is larger"),
      .repair = "give lengths that fill the dimension", .chapter = chapters::kTensors);
  return cut(self, at, split_sizes);
}

std::vector<Tensor> unbind_kernel(const Tensor& self, int64_t dim) {
  GB_CHECK_OR_THROW(
      self.dim() > 0, IndexError,
      .what = fmt::format("gb::unbind: Dimension specified as {} but tensor has no dimensions", dim),
      .cause = "self is 0-dim", .repair = "unsqueeze it first", .chapter = chapters::kTensors);
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "unbind");
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < self.sizes()[static_cast<size_t>(at)]; ++i)
    parts.push_back(make_selection(self, at, i));
  return parts;
}

std::vector<Tensor> chunk_composite(const Tensor& self, int64_t chunks, int64_t dim) {
  check_has_dims(self, "chunk");
  GB_CHECK_OR_THROW(
      chunks > 0, ValueError,
      .what = fmt::format("gb::chunk: chunk expects `chunks` to be greater than 0, got: {}", chunks),
      .cause = "it is the number of parts", .repair = "ask for at least one part",
      .chapter = chapters::kTensors);
  const int64_t size = self.size(dim);
  // split would give one empty part of a dimension of size 0, where as many as were asked for are due.
  if (size == 0) return split_with_sizes(self, std::vector<int64_t>(static_cast<size_t>(chunks), 0), dim);
  return split(self, size / chunks + (size % chunks != 0), dim);
}

std::vector<Tensor> split_sizes_composite(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  return split_with_sizes(self, split_sizes, dim);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("split.Tensor", GB_FN(split_kernel));
  m.impl("split_with_sizes", GB_FN(split_with_sizes_kernel));
  m.impl("unbind.int", GB_FN(unbind_kernel));
}
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("split.sizes", GB_FN(split_sizes_composite));
  m.impl("chunk", GB_FN(chunk_composite));
}

}  // namespace gb
