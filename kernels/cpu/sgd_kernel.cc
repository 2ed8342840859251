// The loop of sgd: built once per instruction set.
#include "kernels/cpu/sgd.h"
#include "kernels/cpu/types.h"

namespace gb::cpu::CPU_CAPABILITY {
namespace {

template <class T, bool has_momentum>
void run(const SgdArrays& arrays, int64_t n, const SgdStep& step) {
  using C = Compute<T>;
  T* param = static_cast<T*>(arrays.param);
  const T* grad = static_cast<const T*>(arrays.grad);
  T* buffer = static_cast<T*>(arrays.momentum_buffer);
  const C minus_lr = C(-step.lr), momentum = C(step.momentum), rest = C(1 - step.dampening),
          weight_decay = C(step.weight_decay);
  const bool decays = step.weight_decay != 0, first = step.first, nesterov = step.nesterov;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const C p = C(param[i]), g = C(grad[i]);
    C d = decays ? g + weight_decay * p : g;
    if constexpr (has_momentum) {
      const C b = first ? d : C(buffer[i]) * momentum + rest * d;
      buffer[i] = T(b);
      d = nesterov ? d + momentum * b : b;
    }
    param[i] = T(p + minus_lr * d);
  }
}

}  // namespace

bool sgd_fn(ScalarType dtype, const SgdArrays& arrays, int64_t n, const SgdStep& step) {
  return with_floating_type(dtype, [&](auto t) {
    using T = typename decltype(t)::type;
    if (arrays.momentum_buffer)
      run<T, true>(arrays, n, step);
    else
      run<T, false>(arrays, n, step);
    return true;
  });
}

}  // namespace gb::cpu::CPU_CAPABILITY
