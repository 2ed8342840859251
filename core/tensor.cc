#include "core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace gb {

int64_t maybe_wrap_dim(int64_t d, int64_t dim, const char* op) {
  const int64_t range = std::max<int64_t>(dim, 1);
  GB_CHECK_OR_THROW(d >= -range && d < range, IndexError,
                    .what = fmt::format("{}: Dimension out of range (expected to be in range of [{}, {}], but got {})", op,
                                        -range, range - 1, d),
                    .cause = fmt::format("the tensor has {} dimension(s)", dim),
                    .repair = "count dimensions from 0, or from the end with -1", .chapter = chapters::kTensors);
  return d < 0 ? d + range : d;
}

int64_t Tensor::size(int64_t d) const {
  const size_t i = static_cast<size_t>(maybe_wrap_dim(d, dim(), "size"));
  return impl_->geometry().size_at(i);
}

int64_t Tensor::stride(int64_t d) const {
  const size_t i = static_cast<size_t>(maybe_wrap_dim(d, dim(), "stride"));
  return impl_->geometry().stride_at(i);
}

bool Tensor::is_non_overlapping_and_dense() const {
  if (is_contiguous()) return true;
  std::vector<std::pair<int64_t, int64_t>> by_stride;  // (stride, size), ones left out
  for (int64_t d = 0; d < dim(); ++d) {
    if (sizes()[d] != 1) by_stride.emplace_back(strides()[d], sizes()[d]);
  }
  std::sort(by_stride.begin(), by_stride.end());
  int64_t expected = 1;
  for (auto [stride, size] : by_stride) {
    if (stride != expected) return false;
    expected *= size;
  }
  return true;
}

std::string Tensor::toString() const {
  if (!defined()) return "UndefinedType";
  return fmt::format("{}{}Type", gb::toString(dense_key(device().type())), gb::toString(scalar_type()));
}

void Tensor::throw_wrong_dtype(ScalarType wanted) const {
  GB_THROW(TypeError, .what = fmt::format("data_ptr: expected scalar type {} but found {}", gb::toString(wanted),
                                          gb::toString(scalar_type())),
           .cause = fmt::format("the tensor is a {} of sizes {}", toString(), to_string(sizes())),
           .repair = fmt::format("ask for the type it has, or convert it with .to(k{})", gb::toString(wanted)),
           .chapter = chapters::kTensors);
}

}  // namespace gb
