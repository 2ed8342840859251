// unary, the cheap half: sign and size of a number, roots and reciprocals. And which half an operation is in.
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/elementwise/families.h"
#include "kernels/cuda/elementwise/functions.h"
#include "kernels/cuda/elementwise/loops.h"

namespace gb::cuda {
namespace {

template <class T>
struct Plain {
  using C = compute_t<T>;
  UnaryOp op;

  template <int N>
  __device__ void operator()(Pack<T, N>& out, const Pack<T, N>& a) const {
    const auto each = [&](auto f) {
      for_each_of(out, [f](T x) { return static_cast<T>(f(static_cast<C>(x))); }, a);
    };
    switch (op) {
      case UnaryOp::Neg:
        return each([](C x) { return static_cast<C>(-x); });
      case UnaryOp::Abs:
        return each([](C x) { return static_cast<C>(std::abs(x)); });
      case UnaryOp::Sign:  // of NaN: 0
        return each([](C x) { return static_cast<C>((x > 0) - (x < 0)); });
      case UnaryOp::Relu:  // NaN stays
        return each([](C x) { return x < 0 ? C(0) : x; });
      case UnaryOp::Floor:
        return each([](C x) { return std::floor(x); });
      case UnaryOp::Sqrt:
        return each([](C x) { return std::sqrt(x); });
      case UnaryOp::Rsqrt:
        return each([](C x) { return 1 / std::sqrt(x); });
      case UnaryOp::Reciprocal:
        return each([](C x) { return 1 / x; });
      default:
        return;  // the other half
    }
  }
};

// Of integers, int64 serving int32 and bool too would double the traffic: one kernel each.
template <class T>
struct OfIntegers {
  UnaryOp op;

  template <int N>
  __device__ void operator()(Pack<T, N>& out, const Pack<T, N>& a) const {
    for_each_of(
        out,
        [op = op](T x) {
          const T negative = static_cast<T>(-static_cast<wrapping_t<T>>(x));
          switch (op) {
            case UnaryOp::Neg:
              return negative;
            case UnaryOp::Abs:
              return x < 0 ? negative : x;
            case UnaryOp::Sign:
              return static_cast<T>((x > 0) - (x < 0));
            case UnaryOp::Relu:
              return x < 0 ? T(0) : x;
            default:
              return x;  // Floor
          }
        },
        a);
  }
};

bool works_on_integers(UnaryOp op) {
  return op == UnaryOp::Neg || op == UnaryOp::Abs || op == UnaryOp::Sign || op == UnaryOp::Relu ||
         op == UnaryOp::Floor;
}
bool is_plain(UnaryOp op) {
  return works_on_integers(op) || op == UnaryOp::Sqrt || op == UnaryOp::Rsqrt || op == UnaryOp::Reciprocal;
}

}  // namespace

void unary(UnaryOp op, ScalarType dtype, void* out, const void* a, const Strided<2>& it, StreamHandle stream) {
  const bool integer = dtype == kInt || dtype == kLong;
  if (op == UnaryOp::Sign && dtype == kBool) return copy(kBool, out, kBool, a, it, stream);
  if (!isFloatingType(dtype) && !(integer && works_on_integers(op))) throw_no_kernel(cpu::toString(op), dtype);
  const Space<2> space = make_space(it);
  if (integer) {
    if (dtype == kInt)
      elementwise(OfIntegers<int32_t>{op}, space, stream, static_cast<int32_t*>(out), static_cast<const int32_t*>(a));
    else
      elementwise(OfIntegers<int64_t>{op}, space, stream, static_cast<int64_t*>(out), static_cast<const int64_t*>(a));
    return;
  }
  if (!is_plain(op)) return unary_function(op, dtype, out, a, space, stream);
  visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    elementwise(Plain<T>{op}, space, stream, static_cast<T*>(out), static_cast<const T*>(a));
  });
}

}  // namespace gb::cuda
