// binary, the inner operators of gradients: a is the incoming gradient, b the output (of tanh, sigmoid) or the
// input that was saved.
#include "kernels/cuda/elementwise/families.h"
#include "kernels/cuda/elementwise/functions.h"
#include "kernels/cuda/elementwise/loops.h"

namespace gb::cuda {
namespace {

template <class T>
struct Gradient {
  using C = compute_t<T>;
  BinaryOp op;

  template <int N>
  __device__ void operator()(Pack<T, N>& out, const Pack<T, N>& grad, const Pack<T, N>& saved) const {
    const auto each = [&](auto f) {
      for_each_of(
          out, [f](T g, T y) { return static_cast<T>(f(static_cast<C>(g), static_cast<C>(y))); }, grad, saved);
    };
    switch (op) {
      case BinaryOp::TanhBackward:
        return each([](C g, C y) { return g * (1 - y * y); });
      case BinaryOp::SigmoidBackward:
        return each([](C g, C y) { return g * (1 - y) * y; });
      case BinaryOp::GeluBackward:
        return each([](C g, C x) { return g * (normal_cdf(x) + x * normal_pdf(x)); });
      case BinaryOp::GeluTanhBackward:
        return each([](C g, C x) { return g * gelu_tanh_slope(x); });
      default:
        return;  // the threshold, below
    }
  }
};

// The one that integers have too.
template <class T>
struct Threshold {
  compute_t<T> threshold;

  template <int N>
  __device__ void operator()(Pack<T, N>& out, const Pack<T, N>& grad, const Pack<T, N>& x) const {
    for_each_of(
        out,
        [t = threshold](T g, T y) { return static_cast<compute_t<T>>(y) <= t ? static_cast<T>(compute_t<T>(0)) : g; },
        grad, x);
  }
};

}  // namespace

void gradient(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b, const Space<3>& space,
              ScalarArg alpha, StreamHandle stream) {
  visit_numeric(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* to = static_cast<T*>(out);
    const T *grad = static_cast<const T*>(a), *saved = static_cast<const T*>(b);
    if (op == BinaryOp::ThresholdBackward) {
      const T t = std::is_integral_v<T> ? convert<T>(alpha.i) : convert<T>(alpha.d);
      elementwise(Threshold<T>{static_cast<compute_t<T>>(t)}, space, stream, to, grad, saved);
    } else if constexpr (!std::is_integral_v<T>) {
      elementwise(Gradient<T>{op}, space, stream, to, grad, saved);
    }
  });
}

}  // namespace gb::cuda
