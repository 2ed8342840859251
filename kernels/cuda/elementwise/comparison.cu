// binary, the comparisons: two numbers in, a bool out.
#include "kernels/cuda/elementwise/families.h"
#include "kernels/cuda/elementwise/loops.h"

namespace gb::cuda {
namespace {

template <class T>
struct Comparison {
  using C = compute_t<T>;
  BinaryOp op;

  template <int N>
  __device__ void operator()(Pack<bool, N>& out, const Pack<T, N>& a, const Pack<T, N>& b) const {
    const auto each = [&](auto f) {
      for_each_of(out, [f](T x, T y) { return f(static_cast<C>(x), static_cast<C>(y)); }, a, b);
    };
    switch (op) {
      case BinaryOp::Eq:
        return each([](C x, C y) { return x == y; });
      case BinaryOp::Ne:
        return each([](C x, C y) { return x != y; });
      case BinaryOp::Lt:
        return each([](C x, C y) { return x < y; });
      case BinaryOp::Le:
        return each([](C x, C y) { return x <= y; });
      case BinaryOp::Gt:
        return each([](C x, C y) { return x > y; });
      case BinaryOp::Ge:
        return each([](C x, C y) { return x >= y; });
      default:
        return;  // no comparison
    }
  }
};

}  // namespace

void comparison(BinaryOp op, ScalarType dtype, bool* out, const void* a, const void* b, const Space<3>& space,
                StreamHandle stream) {
  visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    elementwise(Comparison<T>{op}, space, stream, out, static_cast<const T*>(a), static_cast<const T*>(b));
  });
}

}  // namespace gb::cuda
