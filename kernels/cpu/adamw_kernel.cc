// The loop of adamw: built once per instruction set.
#include "kernels/cpu/adamw.h"
#include "kernels/cpu/types.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

GB_VEC float square_root(float x) { return __builtin_sqrtf(x); }
GB_VEC double square_root(double x) { return __builtin_sqrt(x); }

template <class T, bool amsgrad>
void run(const AdamWArrays& arrays, int64_t n, const AdamWStep& step) {
  using C = Compute<T>;
  T* param = static_cast<T*>(arrays.param);
  const T* grad = static_cast<const T*>(arrays.grad);
  T *exp_avg = static_cast<T*>(arrays.exp_avg), *exp_avg_sq = static_cast<T*>(arrays.exp_avg_sq);
  T* max_exp_avg_sq = static_cast<T*>(arrays.max_exp_avg_sq);
  const C decay = C(step.decay), beta1 = C(step.beta1), rest1 = C(1 - step.beta1), beta2 = C(step.beta2),
          rest2 = C(1 - step.beta2), eps = C(step.eps), minus_step_size = C(-step.step_size),
          sqrt_bias_correction2 = C(step.sqrt_bias_correction2);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const C g = C(grad[i]);
    const C p = C(param[i]) * decay;
    const C m = C(exp_avg[i]) * beta1 + rest1 * g;
    const C v = C(exp_avg_sq[i]) * beta2 + rest2 * g * g;
    exp_avg[i] = T(m);
    exp_avg_sq[i] = T(v);
    C largest = v;
    if constexpr (amsgrad) {
      const C before = C(max_exp_avg_sq[i]);
      largest = v > before || v != v ? v : before;
      max_exp_avg_sq[i] = T(largest);
    }
    const C denom = square_root(largest) / sqrt_bias_correction2 + eps;
    param[i] = T(p + minus_step_size * m / denom);
  }
}

}  // namespace

bool adamw_fn(ScalarType dtype, const AdamWArrays& arrays, int64_t n, const AdamWStep& step) {
  return with_floating_type(dtype, [&](auto t) {
    using T = typename decltype(t)::type;
    if (arrays.max_exp_avg_sq)
      run<T, true>(arrays, n, step);
    else
      run<T, false>(arrays, n, step);
    return true;
  });
}

}  // namespace gb::cpu::CPU_CAPABILITY
