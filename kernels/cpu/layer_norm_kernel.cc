// layer_norm and its backward: built once per instruction set. Registers run along a row; a row is read twice
// for its mean and the mean of its squared distances, and once more to be written: it is in the first cache
// by then. The gradients of weight and bias are sums down the rows: registers hold neighbouring columns.
#include "kernels/cpu/layer_norm.h"
#include "kernels/cpu/types.h"
#include "kernels/cpu/vec_run.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

GB_VEC float sqrt(float x) { return __builtin_sqrtf(x); }
GB_VEC double sqrt(double x) { return __builtin_sqrt(x); }

// The sum of term(i, count) over registers of a row: `count` elements from i on, at most kLanes<T>.
template <class T, class Term>
GB_VEC Compute<T> sum_along(int64_t n, Term term) {
  constexpr int L = kLanes<T>;
  Vec<T> sums[4];
#pragma GCC unroll 4
  for (auto& s : sums) s = broadcast<T>(0);
  int64_t i = 0;
  for (; i + 4 * L <= n; i += 4 * L)
#pragma GCC unroll 4
    for (int u = 0; u < 4; ++u) sums[u] += term(i + u * L, L);
  for (; i < n; i += L) sums[0] += term(i, n - i);
  return sum_lanes<T>((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

// The first n lanes; the others are 0, so that they add nothing.
template <class T>
GB_VEC Vec<T> first_lanes(Vec<T> v, int64_t n) {
  if (n < kLanes<T>)
    for (int lane = 0; lane < kLanes<T>; ++lane) v[lane] = lane < n ? v[lane] : 0;
  return v;
}

template <class T>
void forward_row(T* y, T* mean_out, T* rstd_out, const T* x, const T* weight, const T* bias, Compute<T> eps,
                 int64_t n) {
  using C = Compute<T>;
  constexpr int L = kLanes<T>;
  const C mean = reduce_run<SumOf>(x, n) / C(n);
  const C squares = sum_along<T>(
      n, [&](int64_t i, int64_t count) __attribute__((always_inline)) {
        const Vec<T> d = first_lanes<T>(read(x + i, count, 0) - mean, count);
        return d * d;
      });
  const C rstd = 1 / sqrt(squares / C(n) + eps);
  for (int64_t i = 0; i < n; i += L) {
    Vec<T> v = (read(x + i, n - i, 0) - mean) * rstd;
    if (weight) v *= read(weight + i, n - i, 0);
    if (bias) v += read(bias + i, n - i, 0);
    write(y + i, v, n - i);
  }
  *mean_out = T(mean);
  *rstd_out = T(rstd);
}

template <class T>
void input_gradient(T* out, const T* grad, const T* x, const T* weight, Compute<T> mean, Compute<T> rstd,
                    int64_t n) {
  using C = Compute<T>;
  constexpr int L = kLanes<T>;
  const auto weighted = [&](int64_t i, int64_t count) __attribute__((always_inline)) {
    const Vec<T> g = read(grad + i, count, 0);
    return weight ? g * read(weight + i, count, 0) : g;
  };
  const auto normalized = [&](int64_t i, int64_t count) __attribute__((always_inline)) {
    return (read(x + i, count, 0) - mean) * rstd;
  };
  const C mean_g = sum_along<T>(n, weighted) / C(n);
  const C mean_gx =
      sum_along<T>(
          n, [&](int64_t i, int64_t count)
                 __attribute__((always_inline)) { return weighted(i, count) * normalized(i, count); }) /
      C(n);
  for (int64_t i = 0; i < n; i += L)
    write(out + i, (weighted(i, n - i) - mean_g - normalized(i, n - i) * mean_gx) * rstd, n - i);
}

// One register of columns, n of them: weight_grad = sum of grad * xhat, bias_grad = sum of grad, over rows
// `stride` apart.
template <class T>
void column_sums(T* weight_grad, T* bias_grad, const T* grad, const T* x, const T* mean, const T* rstd,
                 int64_t rows, int64_t stride, int64_t n) {
  if (weight_grad) {
    const auto product = [&](int64_t r) __attribute__((always_inline)) {
      return read(grad + r * stride, n, 0) *
             ((read(x + r * stride, n, 0) - Compute<T>(mean[r])) * Compute<T>(rstd[r]));
    };
    write(weight_grad, sum_in_runs<T>(rows, product), n);
  }
  if (bias_grad) {
    const auto term = [&](int64_t r) __attribute__((always_inline)) { return read(grad + r * stride, n, 0); };
    write(bias_grad, sum_in_runs<T>(rows, term), n);
  }
}

}  // namespace

bool layer_norm_forward_fn(ScalarType dtype, void* y_, void* mean_, void* rstd_, const void* x_,
                           const void* weight_, const void* bias_, double eps, int64_t rows, int64_t n) {
  return with_floating_type(dtype, [&](auto t) {
    using T = typename decltype(t)::type;
    const T *x = static_cast<const T*>(x_), *weight = static_cast<const T*>(weight_),
            *bias = static_cast<const T*>(bias_);
    for (int64_t r = 0; r < rows; ++r)
      forward_row(static_cast<T*>(y_) + r * n, static_cast<T*>(mean_) + r, static_cast<T*>(rstd_) + r,
                  x + r * n, weight, bias, Compute<T>(eps), n);
    return true;
  });
}

bool layer_norm_backward_fn(ScalarType dtype, const LayerNormGradients& out, const LayerNormInputs& in,
                            int64_t rows, int64_t n) {
  return with_floating_type(dtype, [&](auto t) {
    using T = typename decltype(t)::type;
    const T *grad = static_cast<const T*>(in.grad), *x = static_cast<const T*>(in.x);
    const T *mean = static_cast<const T*>(in.mean), *rstd = static_cast<const T*>(in.rstd);
    T *weight_grad = static_cast<T*>(out.weight), *bias_grad = static_cast<T*>(out.bias);
    if (out.input)
      for (int64_t r = 0; r < rows; ++r)
        input_gradient(static_cast<T*>(out.input) + r * n, grad + r * n, x + r * n,
                       static_cast<const T*>(in.weight), Compute<T>(mean[r]), Compute<T>(rstd[r]), n);
    for (int64_t j = 0; j < n; j += kLanes<T>)
      column_sums(weight_grad ? weight_grad + j : nullptr, bias_grad ? bias_grad + j : nullptr, grad + j,
                  x + j, mean, rstd, rows, n, n - j);
    return true;
  });
}

}  // namespace gb::cpu::CPU_CAPABILITY
