// The CPU and Meta kernels: positions are sorted by what stands there, slice by slice; the values are then
// gathered.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/topk/plan.h"
#include "ops/topk/topk.h"

namespace gb {

std::vector<int64_t> topk_sizes(const Tensor& self, int64_t k, int64_t dim) {
  check_defined(self, "topk", "self");
  const auto at = static_cast<size_t>(maybe_wrap_dim(dim, self.dim(), "topk"));
  const int64_t size = self.dim() == 0 ? 1 : self.sizes()[at];
  GB_CHECK_OR_THROW(k >= 0 && k <= size, Error, .what = "gb::topk: selected index k out of range",
                    .cause = fmt::format("k is {}, the dimension has {} elements", k, size),
                    .repair = "give a k from 0 to the size of the dimension", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(self.scalar_type() != kBool, NotImplementedError,
                    .what = "gb::topk: not implemented for 'Bool'",
                    .cause = "two values have no ranking worth a call", .repair = "convert to int64",
                    .chapter = chapters::kTensors);
  std::vector<int64_t> sizes = self.sizes().vec();
  if (!sizes.empty()) sizes[at] = k;
  return sizes;
}

namespace {

std::tuple<Tensor, Tensor> topk_meta(const Tensor& self, int64_t k, int64_t dim, bool, bool) {
  const std::vector<int64_t> sizes = topk_sizes(self, k, dim);
  return {empty_on(self.device(), sizes, self.scalar_type()), empty_on(self.device(), sizes, kLong)};
}

// Is `a` smaller than `b`, with NaN above all numbers?
template <class T>
bool is_less(T a, T b) {
  return a < b || (std::isnan(static_cast<double>(b)) && !std::isnan(static_cast<double>(a)));
}

// `values` and `order` are contiguous; their middle dimension is sorted.
template <class T>
void rank(const T* values, int64_t outer, int64_t size, int64_t inner, int64_t k, bool largest,
          int64_t* order) {
  std::vector<int64_t> positions(static_cast<size_t>(size));
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const T* slice = values + o * size * inner + i;
      const auto before = [=](int64_t a, int64_t b) {
        const T x = slice[a * inner], y = slice[b * inner];
        if (largest ? is_less(y, x) : is_less(x, y)) return true;
        if (largest ? is_less(x, y) : is_less(y, x)) return false;
        return a < b;
      };
      std::iota(positions.begin(), positions.end(), int64_t{0});
      std::partial_sort(positions.begin(), positions.begin() + k, positions.end(), before);
      for (int64_t n = 0; n < k; ++n) order[(o * k + n) * inner + i] = positions[static_cast<size_t>(n)];
    }
  }
}

std::tuple<Tensor, Tensor> topk_cpu(const Tensor& self, int64_t k, int64_t dim, bool largest, bool) {
  const std::vector<int64_t> sizes = topk_sizes(self, k, dim);
  const Tensor indices = empty_cpu(sizes, kLong);
  const auto at = static_cast<size_t>(maybe_wrap_dim(dim, self.dim(), "topk"));
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < sizes.size(); ++d) (d < at ? outer : inner) *= d == at ? 1 : sizes[d];
  const int64_t size = self.dim() == 0 ? 1 : self.sizes()[at];
  if (indices.numel() > 0) {
    const bool floating = isFloatingType(self.scalar_type());  // every dtype fits one of these two
    const Tensor comparable = self.to(floating ? kDouble : kLong).contiguous();
    int64_t* order = indices.mutable_data_ptr<int64_t>();
    if (floating)
      rank(comparable.const_data_ptr<double>(), outer, size, inner, k, largest, order);
    else
      rank(comparable.const_data_ptr<int64_t>(), outer, size, inner, k, largest, order);
  }
  return {self.gather(dim, indices), indices};
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("topk", GB_FN(topk_cpu)); }
GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("topk", GB_FN(topk_meta)); }

}  // namespace gb
