#include "ops/gather/checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/common/checks.h"

namespace gb {
namespace {

int64_t dims_of(const Tensor& t) { return std::max<int64_t>(t.dim(), 1); }

void check_dtype_and_place(const char* op, const Tensor& self, const Tensor& index) {
  GB_CHECK_OR_THROW(index.scalar_type() == kLong || index.numel() == 0, Error,
                    .what = fmt::format("gb::{}: Expected dtype int64 for index", op),
                    .cause = fmt::format("index is {}", toString(index.scalar_type())),
                    .repair = "convert it: index.to(kLong)", .chapter = chapters::kTensors);
  check_same_device_as(index, self.device(), op);
}

void check_dimension_counts(const char* op, const Tensor& index, const Tensor& other,
                            const char* other_name) {
  GB_CHECK_OR_THROW(
      dims_of(index) == dims_of(other), Error,
      .what = fmt::format("gb::{}: Index tensor must have the same number of dimensions as {} tensor", op,
                          other_name),
      .cause = fmt::format("index has sizes {}, {} has sizes {}", to_string(index.sizes()), other_name,
                           to_string(other.sizes())),
      .repair = "unsqueeze or expand the index", .chapter = chapters::kTensors);
}

}  // namespace

int64_t check_gather(const Tensor& self, int64_t dim, const Tensor& index) {
  check_defined(self, "gather", "self");
  check_defined(index, "gather", "index");
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "gather");
  check_dtype_and_place("gather", self, index);
  if (index.numel() == 0) return at;
  check_dimension_counts("gather", index, self, "input");
  for (int64_t d = 0; d < dims_of(self); ++d) {
    GB_CHECK_OR_THROW(d == at || size_or_one(index, d) <= size_or_one(self, d), Error,
                      .what = fmt::format(
                          "gb::gather: Size does not match at dimension {} expected index {} to be no larger "
                          "than self {} apart from dimension {}",
                          d, to_string(index.sizes()), to_string(self.sizes()), at),
                      .cause = fmt::format("{} > {}", size_or_one(index, d), size_or_one(self, d)),
                      .repair = "index chooses along one dimension; in the others it walks with self",
                      .chapter = chapters::kTensors);
  }
  return at;
}

int64_t check_scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  check_defined(self, "scatter_add", "self");
  check_defined(index, "scatter_add", "index");
  check_defined(src, "scatter_add", "src");
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "scatter_add");
  check_dtype_and_place("scatter_add", self, index);
  check_same_device_as(src, self.device(), "scatter_add");
  GB_CHECK_OR_THROW(self.scalar_type() == src.scalar_type(), Error,
                    .what = "gb::scatter_add: Expected self.dtype to be equal to src.dtype",
                    .cause = fmt::format("self is {}, src is {}", toString(self.scalar_type()),
                                         toString(src.scalar_type())),
                    .repair = "convert one: src.to(self.scalar_type())", .chapter = chapters::kTensors);
  if (index.numel() == 0) return at;
  check_dimension_counts("scatter_add", index, self, "self");
  check_dimension_counts("scatter_add", index, src, "src");
  for (int64_t d = 0; d < dims_of(self); ++d) {
    const int64_t n = size_or_one(index, d);
    GB_CHECK_OR_THROW(
        n <= size_or_one(src, d) && (d == at || n <= size_or_one(self, d)), Error,
        .what = fmt::format(
            "gb::scatter_add: Expected index {} to be no larger than self {} apart from dimension "
            "{} and to be no larger size than src {}",
            to_string(index.sizes()), to_string(self.sizes()), at, to_string(src.sizes())),
        .cause = fmt::format("dimension {} of the index has size {}", d, n),
        .repair = "every element of the index needs one of src, and, but along dim, one of self",
        .chapter = chapters::kTensors);
  }
  return at;
}

int64_t check_scatter_add_(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  const int64_t at = check_scatter_add(self, dim, index, src);
  check_no_internal_overlap(self, "scatter_add_");
  check_no_overlap(self, index, "scatter_add_");
  check_no_overlap(self, src, "scatter_add_");
  return at;
}

cpu::Dims<3> index_space(const Tensor& first, const Tensor& second, const Tensor& index, int64_t dim,
                         bool first_is_indexed) {
  cpu::Dims<3> dims;
  if (index.numel() == 0) {  // the others may have another number of dimensions then
    dims.push(0, {1, 1, 1});
    return dims;
  }
  for (int64_t d = 0; d < index.dim(); ++d) {
    const bool indexed = d == dim;
    dims.push(size_or_one(index, d),
              {indexed && first_is_indexed ? 0 : stride_or_one(first, d),
               indexed && !first_is_indexed ? 0 : stride_or_one(second, d), stride_or_one(index, d)});
  }
  return dims;
}

void throw_bad_index(const char* op, cpu::BadIndex bad, int64_t dim, int64_t dim_size) {
  GB_THROW(
      IndexError,
      .what = fmt::format("gb::{}: index {} is out of bounds for dimension {} with size {}", op, bad.value,
                          dim, dim_size),
      .cause = fmt::format("element {} of the index, counted row by row, is {}", bad.position, bad.value),
      .repair = dim_size == 0
                    ? std::string("the dimension is empty: nothing can be indexed")
                    : fmt::format("indices lie in [0, {}]; negative ones do not count from the end here",
                                  dim_size - 1),
      .chapter = chapters::kTensors);
}

}  // namespace gb
