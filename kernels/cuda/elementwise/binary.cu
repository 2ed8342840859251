// binary: out = a (op) b: which family an operation is in, and the family of arithmetic.
#include <type_traits>

#include "kernels/cuda/elementwise/families.h"
#include "kernels/cuda/elementwise/functions.h"
#include "kernels/cuda/elementwise/loops.h"

namespace gb::cuda {
namespace {

// Half types in float, integers as unsigned (so that they wrap), bool as int: any sum or product but 0 is true.
template <class T>
using arithmetic_t = std::conditional_t<std::is_same_v<T, bool>, int, wrapping_t<T>>;

template <class T>
struct Arithmetic {
  using C = arithmetic_t<T>;
  using Ordered = std::conditional_t<std::is_same_v<T, bool>, int, compute_t<T>>;
  BinaryOp op;
  C alpha;

  template <int N>
  __device__ void operator()(Pack<T, N>& out, const Pack<T, N>& a, const Pack<T, N>& b) const {
    const auto each = [&](auto f) {
      for_each_of(
          out, [f](T x, T y) { return static_cast<T>(f(static_cast<compute_t<T>>(x), static_cast<compute_t<T>>(y))); }, a,
          b);
    };
    switch (op) {
      case BinaryOp::Add:
        return each([s = alpha](C x, C y) { return x + s * y; });
      case BinaryOp::Sub:
        return each([s = alpha](C x, C y) { return x - s * y; });
      case BinaryOp::Mul:
        return each([](C x, C y) { return x * y; });
      case BinaryOp::Div:
        if constexpr (std::is_floating_point_v<C>) each([](C x, C y) { return x / y; });
        return;
      case BinaryOp::Maximum:
        return each([](Ordered x, Ordered y) { return maximum_of(x, y); });
      case BinaryOp::Minimum:
        return each([](Ordered x, Ordered y) { return minimum_of(x, y); });
      default:
        return;  // another family
    }
  }
};

bool is_gradient(BinaryOp op) { return op >= BinaryOp::TanhBackward; }

bool supported(BinaryOp op, ScalarType dtype) {
  if (!isSupportedType(dtype)) return false;
  if (op == BinaryOp::Sub || op == BinaryOp::Pow || op == BinaryOp::ThresholdBackward) return dtype != kBool;
  return isFloatingType(dtype) || !(op == BinaryOp::Div || is_gradient(op));
}

}  // namespace

void arithmetic(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b, const Space<3>& space,
                ScalarArg alpha, StreamHandle stream) {
  visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T scale = std::is_integral_v<T> ? convert<T>(alpha.i) : convert<T>(alpha.d);
    const Arithmetic<T> f{op, static_cast<arithmetic_t<T>>(static_cast<compute_t<T>>(scale))};
    elementwise(f, space, stream, static_cast<T*>(out), static_cast<const T*>(a), static_cast<const T*>(b));
  });
}

void binary(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b, const Strided<3>& it,
            ScalarArg alpha, StreamHandle stream) {
  if (!supported(op, dtype)) throw_no_kernel(cpu::toString(op), dtype);
  const Space<3> space = make_space(it);
  if (cpu::isComparison(op)) return comparison(op, dtype, static_cast<bool*>(out), a, b, space, stream);
  if (op == BinaryOp::Pow) return power(dtype, out, a, b, space, stream);
  if (is_gradient(op)) return gradient(op, dtype, out, a, b, space, alpha, stream);
  arithmetic(op, dtype, out, a, b, space, alpha, stream);
}

}  // namespace gb::cuda
