// What the kernels along one dimension must do: as kernels/cpu has it, element by element.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "kernels/cpu/cumsum.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/reduce/along.h"

namespace gb::cuda::cases {

// The lines of a contiguous [rows, cols] along dim, with the outputs laid out as the input (cumsum) or as one element
// per line (extrema).
struct Lines {
  Lines(int64_t rows, int64_t cols, int dim, bool one_output)
      : n(dim == 0 ? rows : cols), stride(dim == 0 ? cols : 1), count(dim == 0 ? cols : rows) {
    const int64_t apart = dim == 0 ? 1 : cols;
    others.push(count, {one_output ? 1 : apart, apart});
  }
  int64_t n, stride, count;
  cpu::Dims<2> others;
};

// With equal elements, and NaN where the dtype has it.
inline Values repeated_values(ScalarType dtype, size_t n, unsigned seed) {
  Values values = rounded(kLong, random_values(n, seed, -9, 9));
  if (isFloatingType(dtype) && n > 40) values[37] = values[40] = std::numeric_limits<double>::quiet_NaN();
  return rounded(dtype, values);
}

inline void extremum_matches(Machine& machine, ScalarType dtype, int64_t rows, int64_t cols, int dim) {
  INFO("extremum on " << toString(dtype) << " [" << rows << ", " << cols << "] along " << dim);
  const Values v = repeated_values(dtype, static_cast<size_t>(rows * cols), 1);
  const Lines lines(rows, cols, dim, true);
  const Values blank(static_cast<size_t>(lines.count));
  HostMemory host;
  Array in(machine, dtype, v), values(machine, dtype, blank), positions(machine, kLong, blank);
  Array host_in(host, dtype, v), host_values(host, dtype, blank), host_positions(host, kLong, blank);
  for (Extremum which : {Extremum::Max, Extremum::Min}) {
    arg_reduce(which, dtype, values.data(), static_cast<int64_t*>(positions.data()), in.data(), lines.n, lines.stride,
               lines.others, nullptr);
    cpu::arg_reduce(which, dtype, host_values.data(), static_cast<int64_t*>(host_positions.data()), host_in.data(),
                    lines.n, lines.stride, lines.others);
    CHECK(positions.values() == host_positions.values());
    check_close(values.values(), host_values.values(), 0);
  }
}

// Against a stable sort, with NaN above all numbers.
inline void topk_matches(Machine& machine, ScalarType dtype, int64_t n, int64_t k, bool largest) {
  INFO("topk on " << toString(dtype) << ", " << k << " of " << n);
  const Values v = repeated_values(dtype, static_cast<size_t>(n), 2);
  std::vector<size_t> order(v.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto above = [&](size_t i, size_t j) { return v[i] > v[j] || (std::isnan(v[i]) && !std::isnan(v[j])); };
    return largest ? above(a, b) : above(b, a);
  });
  Array in(machine, dtype, v), positions(machine, kLong, Values(static_cast<size_t>(k)));
  topk(dtype, static_cast<int64_t*>(positions.data()), in.data(), n, k, 1, 1, largest, cpu::Dims<2>(), nullptr);
  CHECK(positions.values() == Values(order.begin(), order.begin() + k));
}

inline void cumsum_matches(Machine& machine, ScalarType dtype, int64_t rows, int64_t cols, int dim) {
  INFO("cumsum on " << toString(dtype) << " [" << rows << ", " << cols << "] along " << dim);
  const Values v = rounded(dtype, random_values(static_cast<size_t>(rows * cols), 1, -4, 4));
  const Lines lines(rows, cols, dim, false);
  HostMemory host;
  const ScalarType as = isFloatingType(dtype) ? kDouble : dtype;
  Array in(machine, dtype, v), out(machine, dtype, Values(v.size())), host_in(host, as, v), want(host, as, Values(v.size()));
  cumsum(dtype, out.data(), in.data(), lines.n, lines.stride, lines.stride, lines.others, nullptr);
  cpu::cumsum(as, want.data(), host_in.data(), lines.n, lines.stride, lines.stride, lines.others);
  check_close(out.values(), want.values(), tolerance(dtype), 4);
}

inline void along_cases(Machine& machine) {
  for (ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt, kBool})
    for (auto [rows, cols] : {std::pair<int64_t, int64_t>{1, 1}, {2, 300}, {41, 3}, {0, 3}})
      for (int dim : {0, 1}) {
        if (cols == 300 && dim == 0) continue;
        if (rows > 0 || dim == 1) extremum_matches(machine, dtype, rows, cols, dim);
        if (dtype != kInt && dtype != kBool) cumsum_matches(machine, dtype, rows, cols, dim);
      }
  for (ScalarType dtype : {kFloat, kHalf, kLong, kInt})
    for (bool largest : {true, false})
      for (auto [n, k] : {std::pair<int64_t, int64_t>{300, 7}, {40, 40}, {1, 1}, {3, 0}})
        topk_matches(machine, dtype, n, k, largest);
}

}  // namespace gb::cuda::cases
