// adamw and sgd: a thread per element of the parameter.
#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/optim/optim.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// What of a step is the same for all elements, in the compute type, as the CPU's kernel rounds it.
template <class C>
struct AdamWNumbers {
  explicit AdamWNumbers(const AdamWStep& s)
      : decay(C(s.decay)), beta1(C(s.beta1)), rest1(C(1 - s.beta1)), beta2(C(s.beta2)), rest2(C(1 - s.beta2)),
        eps(C(s.eps)), minus_step_size(C(-s.step_size)), sqrt_bias_correction2(C(s.sqrt_bias_correction2)) {}
  C decay, beta1, rest1, beta2, rest2, eps, minus_step_size, sqrt_bias_correction2;
};

// All [n]. max_exp_avg_sq: null without amsgrad.
template <class T, class C = compute_t<T>>
__global__ void adamw_kernel(T* param, const T* grad, T* exp_avg, T* exp_avg_sq, T* max_exp_avg_sq, int64_t n,
                             AdamWNumbers<C> s) {
  const int64_t i = thread_number();
  if (i >= n) return;
  const C g = static_cast<C>(grad[i]);
  const C p = static_cast<C>(param[i]) * s.decay;
  const C m = static_cast<C>(exp_avg[i]) * s.beta1 + s.rest1 * g;
  const C v = static_cast<C>(exp_avg_sq[i]) * s.beta2 + s.rest2 * g * g;
  exp_avg[i] = static_cast<T>(m);
  exp_avg_sq[i] = static_cast<T>(v);
  C largest = v;
  if (max_exp_avg_sq) {
    const C before = static_cast<C>(max_exp_avg_sq[i]);
    largest = v > before || v != v ? v : before;
    max_exp_avg_sq[i] = static_cast<T>(largest);
  }
  const C denom = std::sqrt(largest) / s.sqrt_bias_correction2 + s.eps;
  param[i] = static_cast<T>(p + s.minus_step_size * m / denom);
}

template <class C>
struct SgdNumbers {
  explicit SgdNumbers(const SgdStep& s)
      : minus_lr(C(-s.lr)), momentum(C(s.momentum)), rest(C(1 - s.dampening)), weight_decay(C(s.weight_decay)),
        nesterov(s.nesterov), first(s.first) {}
  C minus_lr, momentum, rest, weight_decay;
  bool nesterov, first;
};

// All [n]. buffer: null without momentum.
template <class T, class C = compute_t<T>>
__global__ void sgd_kernel(T* param, const T* grad, T* buffer, int64_t n, SgdNumbers<C> s) {
  const int64_t i = thread_number();
  if (i >= n) return;
  const C p = static_cast<C>(param[i]), g = static_cast<C>(grad[i]);
  C d = s.weight_decay != 0 ? g + s.weight_decay * p : g;
  if (buffer) {
    const C b = s.first ? d : static_cast<C>(buffer[i]) * s.momentum + s.rest * d;
    buffer[i] = static_cast<T>(b);
    d = s.nesterov ? d + s.momentum * b : b;
  }
  param[i] = static_cast<T>(p + s.minus_lr * d);
}

}  // namespace

void adamw(ScalarType dtype, const AdamWArrays& arrays, int64_t n, const AdamWStep& step, StreamHandle stream) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (n == 0) return;
    GB_LAUNCH((adamw_kernel<T>), blocks_for(n), kThreads, 0, stream, static_cast<T*>(arrays.param),
              static_cast<const T*>(arrays.grad), static_cast<T*>(arrays.exp_avg), static_cast<T*>(arrays.exp_avg_sq),
              static_cast<T*>(arrays.max_exp_avg_sq), n, AdamWNumbers<compute_t<T>>(step));
  });
  if (!known) throw_no_kernel("adamw", dtype);
}

void sgd(ScalarType dtype, const SgdArrays& arrays, int64_t n, const SgdStep& step, StreamHandle stream) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (n == 0) return;
    GB_LAUNCH((sgd_kernel<T>), blocks_for(n), kThreads, 0, stream, static_cast<T*>(arrays.param),
              static_cast<const T*>(arrays.grad), static_cast<T*>(arrays.momentum_buffer), n,
              SgdNumbers<compute_t<T>>(step));
  });
  if (!known) throw_no_kernel("sgd", dtype);
}

}  // namespace gb::cuda
