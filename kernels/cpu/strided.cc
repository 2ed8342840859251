#include "kernels/cpu/strided.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace gb::cpu {

void throw_too_many_dims() {
  GB_THROW(ValueError, .what = fmt::format("gb: a kernel takes at most {} dimensions", kMaxDims),
           .cause = "more are left after those that continue each other were merged",
           .repair = "reshape the tensor to fewer dimensions", .chapter = chapters::kKernels);
}

template <int N>
Dims<N> sorted_by_stride(const Strided<N>& s) {
  int order[kMaxDims];
  std::iota(order, order + s.ndim, 0);
  // Insertion sort, stable: spaces have few dimensions and mostly stand in order already.
  const auto goes_outside = [&](int x, int y) {
    for (int k = N - 1; k >= 0; --k) {
      const int64_t a = std::abs(s.strides[k][x]), b = std::abs(s.strides[k][y]);
      if (a == 0 || b == 0) continue;  // a broadcast operand has no opinion
      if (a != b) return a > b;
    }
    return false;
  };
  for (int i = 1; i < s.ndim; ++i)
    for (int j = i; j > 0 && goes_outside(order[j], order[j - 1]); --j) std::swap(order[j], order[j - 1]);
  Dims<N> sorted;
  for (int i = 0; i < s.ndim; ++i) {
    int64_t stride[N];
    for (int k = 0; k < N; ++k) stride[k] = s.strides[k][order[i]];
    sorted.push(s.sizes[order[i]], stride);
  }
  return sorted;
}

template Dims<1> sorted_by_stride(const Strided<1>&);
template Dims<2> sorted_by_stride(const Strided<2>&);
template Dims<3> sorted_by_stride(const Strided<3>&);
template Dims<4> sorted_by_stride(const Strided<4>&);

}  // namespace gb::cpu
