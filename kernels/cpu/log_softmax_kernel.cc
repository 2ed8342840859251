// log_softmax and its backward: built once per instruction set. Rows and columns as in softmax_kernel.cc;
// here exp is only summed up, so nothing need be parked in `out`.
#include "kernels/cpu/log_softmax.h"
#include "kernels/cpu/types.h"
#include "kernels/cpu/vec_exp.h"
#include "kernels/cpu/vec_run.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

GB_VEC float log(float x) { return __builtin_logf(x); }
GB_VEC double log(double x) { return __builtin_log(x); }

// out, in: [n]
template <class T>
void forward_row(T* out, const T* in, int64_t n) {
  using C = Compute<T>;
  constexpr int L = kLanes<T>;
  const C kNone = MaxOf::identity<C>();  // -inf: exp gives 0 there, so lanes past the end add nothing
  const C max = reduce_run<MaxOf>(in, n);
  Vec<T> sums[2] = {broadcast<T>(0), broadcast<T>(0)};
  int64_t i = 0;
  for (; i + 2 * L <= n; i += 2 * L) {
#pragma GCC unroll 2  // keeps `sums` in registers
    for (int u = 0; u < 2; ++u) sums[u] += exp(load(in + i + u * L) - max);
  }
  for (; i < n; i += L) sums[0] += exp(read(in + i, n - i, kNone) - max);
  const C rest = log(sum_lanes<T>(sums[0] + sums[1]));
  for (i = 0; i < n; i += L) write(out + i, read(in + i, n - i, 0) - max - rest, n - i);
}

// One register of columns. out, in: [dim] rows `stride` apart, the first n columns of each.
template <class T>
void forward_columns(T* out, const T* in, int64_t dim, int64_t stride, int64_t n) {
  Vec<T> max = broadcast<T>(MaxOf::identity<Compute<T>>());
  for (int64_t d = 0; d < dim; ++d) max = max_nan(max, read(in + d * stride, n, 0));
  Vec<T> rest = sum_in_runs<T>(
      dim, [&](int64_t d) __attribute__((always_inline)) { return exp(read(in + d * stride, n, 0) - max); });
  for (int lane = 0; lane < kLanes<T>; ++lane) rest[lane] = log(rest[lane]);
  for (int64_t d = 0; d < dim; ++d) write(out + d * stride, read(in + d * stride, n, 0) - max - rest, n);
}

// grad_input, grad, y: [n]
template <class T>
void backward_row(T* grad_input, const T* grad, const T* y, int64_t n) {
  constexpr int L = kLanes<T>;
  const Compute<T> sum = reduce_run<SumOf>(grad, n);
  for (int64_t i = 0; i < n; i += L)
    write(grad_input + i, read(grad + i, n - i, 0) - exp(read(y + i, n - i, 0)) * sum, n - i);
}

template <class T>
void backward_columns(T* grad_input, const T* grad, const T* y, int64_t dim, int64_t stride, int64_t n) {
  const Vec<T> sum = sum_in_runs<T>(
      dim, [&](int64_t d) __attribute__((always_inline)) { return read(grad + d * stride, n, 0); });
  for (int64_t d = 0; d < dim; ++d) {
    const int64_t at = d * stride;
    write(grad_input + at, read(grad + at, n, 0) - exp(read(y + at, n, 0)) * sum, n);
  }
}

}  // namespace

bool log_softmax_forward_fn(ScalarType dtype, void* out_, const void* in_, int64_t outer, int64_t dim,
                            int64_t inner) {
  return with_floating_type(dtype, [&](auto t) {
    using T = typename decltype(t)::type;
    T* out = static_cast<T*>(out_);
    const T* in = static_cast<const T*>(in_);
    if (dim == 0 || inner == 0) return true;
    for (int64_t o = 0; o < outer; ++o, out += dim * inner, in += dim * inner) {
      if (inner == 1)
        forward_row(out, in, dim);
      else
        for (int64_t j = 0; j < inner; j += kLanes<T>)
          forward_columns(out + j, in + j, dim, inner, inner - j);
    }
    return true;
  });
}

bool log_softmax_backward_fn(ScalarType dtype, void* grad_input_, const void* grad_, const void* output_,
                             int64_t outer, int64_t dim, int64_t inner) {
  return with_floating_type(dtype, [&](auto t) {
    using T = typename decltype(t)::type;
    T* grad_input = static_cast<T*>(grad_input_);
    const T *grad = static_cast<const T*>(grad_), *y = static_cast<const T*>(output_);
    if (dim == 0 || inner == 0) return true;
    for (int64_t o = 0; o < outer; ++o, grad_input += dim * inner, grad += dim * inner, y += dim * inner) {
      if (inner == 1)
        backward_row(grad_input, grad, y, dim);
      else
        for (int64_t j = 0; j < inner; j += kLanes<T>)
          backward_columns(grad_input + j, grad + j, y + j, dim, inner, inner - j);
    }
    return true;
  });
}

}  // namespace gb::cpu::CPU_CAPABILITY
