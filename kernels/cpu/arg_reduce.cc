#include "kernels/cpu/arg_reduce.h"

#include <type_traits>

#include "core/bfloat16.h"
#include "core/half.h"
#include "kernels/cpu/unsupported.h"

namespace gb::cpu {
namespace {

// What two elements are compared as.
template <class T>
using Compared = std::conditional_t<std::is_arithmetic_v<T>, T, float>;

template <class T, bool largest>
int64_t position_of(const T* line, int64_t n, int64_t stride) {
  using C = Compared<T>;
  int64_t best = 0;
  C value = static_cast<C>(line[0]);
  for (int64_t i = 1; i < n && value == value; ++i) {  // a NaN ends the search
    const C next = static_cast<C>(line[i * stride]);
    if ((largest ? next > value : next < value) || next != next) value = next, best = i;
  }
  return best;
}

template <class T>
void run(Extremum which, void* values, int64_t* positions, const void* in, int64_t n, int64_t stride,
         const Strided<2>& others) {
  const auto find = which == Extremum::Max ? &position_of<T, true> : &position_of<T, false>;
  for_each_line(others, [&](int64_t out, int64_t first) {
    const T* line = static_cast<const T*>(in) + first;
    positions[out] = find(line, n, stride);
    if (values) static_cast<T*>(values)[out] = line[positions[out] * stride];
  });
}

}  // namespace

void arg_reduce(Extremum which, ScalarType dtype, void* values, int64_t* positions, const void* in, int64_t n,
                int64_t stride, const Strided<2>& others) {
  const auto kernel = dtype == kFloat      ? &run<float>
                      : dtype == kDouble   ? &run<double>
                      : dtype == kHalf     ? &run<Half>
                      : dtype == kBFloat16 ? &run<BFloat16>
                      : dtype == kLong     ? &run<int64_t>
                      : dtype == kInt      ? &run<int32_t>
                      : dtype == kBool     ? &run<bool>
                                           : nullptr;
  if (!kernel) throw_unsupported("arg_reduce", dtype);
  if (others.numel() > 0) kernel(which, values, positions, in, n, stride, others);
}

}  // namespace gb::cpu
