// softmax and its backward: built once per instruction set.
//
// inner == 1: a row of `dim` elements is contiguous and registers run along it. inner > 1: registers hold
// neighbouring columns of [dim, inner] and step down dim. Where exp(x - max) can be parked in `out` without
// loss (float, double) it is; Half and BFloat16 would lose bits there, so exp is computed a second time
// instead.
#include "kernels/cpu/softmax.h"
#include "kernels/cpu/types.h"
#include "kernels/cpu/vec_exp.h"
#include "kernels/cpu/vec_run.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

template <class T>
inline constexpr bool kKeepsExp = __is_same(T, Compute<T>);

// out, in: [n]
template <class T>
void forward_row(T* out, const T* in, int64_t n) {
  using C = Compute<T>;
  constexpr int L = kLanes<T>;
  const C kNone = MaxOf::identity<C>();  // -inf: exp gives 0 there, so lanes past the end add nothing
  const C max = reduce_run<MaxOf>(in, n);
  Vec<T> sums[2] = {broadcast<T>(0), broadcast<T>(0)};
  const auto exp_at = [&](int64_t i) __attribute__((always_inline)) {
    return exp(read(in + i, n - i, kNone) - max);
  };
  int64_t i = 0;
  for (; i + 2 * L <= n; i += 2 * L) {
#pragma GCC unroll 2  // keeps `sums` in registers
    for (int u = 0; u < 2; ++u) {
      const Vec<T> e = exp(load(in + i + u * L) - max);
      if constexpr (kKeepsExp<T>) store(out + i + u * L, e);
      sums[u] += e;
    }
  }
  for (; i < n; i += L) {
    const Vec<T> e = exp_at(i);
    if constexpr (kKeepsExp<T>) write(out + i, e, n - i);
    sums[0] += e;
  }
  const C scale = 1 / sum_lanes<T>(sums[0] + sums[1]);
  for (i = 0; i < n; i += L) {
    Vec<T> e;
    if constexpr (kKeepsExp<T>)
      e = read(out + i, n - i, 0);
    else
      e = exp_at(i);
    write(out + i, e * scale, n - i);
  }
}

// One register of columns. out, in: [dim] rows `stride` apart, the first n columns of each.
template <class T>
void forward_columns(T* out, const T* in, int64_t dim, int64_t stride, int64_t n) {
  Vec<T> max = broadcast<T>(MaxOf::identity<Compute<T>>());
  for (int64_t d = 0; d < dim; ++d) max = max_nan(max, read(in + d * stride, n, 0));
  const Vec<T> sum = sum_in_runs<T>(
      dim, [&](int64_t d) __attribute__((always_inline)) {
        const Vec<T> e = exp(read(in + d * stride, n, 0) - max);
        if constexpr (kKeepsExp<T>) write(out + d * stride, e, n);
        return e;
      });
  const Vec<T> scale = 1 / sum;
  for (int64_t d = 0; d < dim; ++d) {
    Vec<T> e;
    if constexpr (kKeepsExp<T>)
      e = read(out + d * stride, n, 0);
    else
      e = exp(read(in + d * stride, n, 0) - max);
    write(out + d * stride, e * scale, n);
  }
}

// grad_input, grad, y: [n]
template <class T>
void backward_row(T* grad_input, const T* grad, const T* y, int64_t n) {
  constexpr int L = kLanes<T>;
  Vec<T> sums[4];
#pragma GCC unroll 4
  for (auto& s : sums) s = broadcast<T>(0);
  int64_t i = 0;
  for (; i + 4 * L <= n; i += 4 * L)
#pragma GCC unroll 4
    for (int u = 0; u < 4; ++u) sums[u] += load(grad + i + u * L) * load(y + i + u * L);
  for (; i < n; i += L) sums[0] += read(grad + i, n - i, 0) * read(y + i, n - i, 0);
  const Compute<T> dot = sum_lanes<T>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (i = 0; i < n; i += L)
    write(grad_input + i, read(y + i, n - i, 0) * (read(grad + i, n - i, 0) - dot), n - i);
}

template <class T>
void backward_columns(T* grad_input, const T* grad, const T* y, int64_t dim, int64_t stride, int64_t n) {
  const Vec<T> dot = sum_in_runs<T>(
      dim, [&](int64_t d) __attribute__((always_inline)) {
        return read(grad + d * stride, n, 0) * read(y + d * stride, n, 0);
      });
  for (int64_t d = 0; d < dim; ++d) {
    const int64_t at = d * stride;
    write(grad_input + at, read(y + at, n, 0) * (read(grad + at, n, 0) - dot), n);
  }
}

}  // namespace

bool softmax_forward_fn(ScalarType dtype, void* out_, const void* in_, int64_t outer, int64_t dim,
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

bool softmax_backward_fn(ScalarType dtype, void* grad_input_, const void* grad_, const void* output_,
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
