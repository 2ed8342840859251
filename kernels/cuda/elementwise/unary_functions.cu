// unary, the other half: what takes a series or a table: exponentials, logarithms, tanh, sigmoid, GELU, sin, cos.
#include "kernels/cuda/elementwise/families.h"
#include "kernels/cuda/elementwise/functions.h"
#include "kernels/cuda/elementwise/loops.h"

namespace gb::cuda {
namespace {

template <class T>
struct Function {
  using C = compute_t<T>;
  UnaryOp op;

  template <int N>
  __device__ void operator()(Pack<T, N>& out, const Pack<T, N>& a) const {
    const auto each = [&](auto f) {
      for_each_of(out, [f](T x) { return static_cast<T>(f(static_cast<C>(x))); }, a);
    };
    switch (op) {
      case UnaryOp::Exp:
        return each([](C x) { return std::exp(x); });
      case UnaryOp::Log:
        return each([](C x) { return std::log(x); });
      case UnaryOp::Tanh:
        return each([](C x) { return std::tanh(x); });
      case UnaryOp::Sigmoid:
        return each([](C x) { return sigmoid_of(x); });
      case UnaryOp::Gelu:
        return each([](C x) { return x * normal_cdf(x); });
      case UnaryOp::GeluTanh:
        return each([](C x) { return x * sigmoid_of(gelu_argument(x)); });
      case UnaryOp::Sin:
        return each([](C x) { return std::sin(x); });
      case UnaryOp::Cos:
        return each([](C x) { return std::cos(x); });
      default:
        return;  // unary.cu
    }
  }
};

}  // namespace

void unary_function(UnaryOp op, ScalarType dtype, void* out, const void* a, const Space<2>& space,
                    StreamHandle stream) {
  visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    elementwise(Function<T>{op}, space, stream, static_cast<T*>(out), static_cast<const T*>(a));
  });
}

}  // namespace gb::cuda
