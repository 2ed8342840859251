// unary: out = f(a), one thread per element.
#include <type_traits>

#include "kernels/cuda/element.h"
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// out, a: elements of `space`. Half types are computed in float; integers only negate, and wrap.
template <class T>
__global__ void unary_kernel(UnaryOp op, T* out, const T* a, Space<2> space) {
  using C = compute_t<T>;
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const Offsets<2> at = space.at(i);
  const C x = static_cast<C>(a[at.of[1]]);
  C result = C();
  if constexpr (std::is_integral_v<T>) {
    result = static_cast<T>(-static_cast<std::make_unsigned_t<T>>(x));
  } else {
    switch (op) {
      case UnaryOp::Neg:
        result = -x;
        break;
      case UnaryOp::Exp:
        result = std::exp(x);
        break;
      case UnaryOp::Log:
        result = std::log(x);
        break;
      case UnaryOp::Sqrt:
        result = std::sqrt(x);
        break;
      case UnaryOp::Reciprocal:
        result = 1 / x;
        break;
      default:
        break;  // refused below
    }
  }
  out[at.of[0]] = static_cast<T>(result);
}

const char* name_of(UnaryOp op) {
  static const char* const kNames[] = {"neg", "exp", "log", "sqrt", "reciprocal"};
  return op <= UnaryOp::Reciprocal ? kNames[static_cast<int>(op)] : "unary";
}

}  // namespace

void unary(UnaryOp op, ScalarType dtype, void* out, const void* a, const Strided<2>& it,
           StreamHandle stream) {
  const bool negates = op == UnaryOp::Neg && (dtype == kInt || dtype == kLong);
  const bool supported = negates || (op <= UnaryOp::Reciprocal && isFloatingType(dtype));
  if (!supported) throw_no_kernel(name_of(op), dtype);
  const Space<2> space = make_space(it);
  if (space.numel == 0) return;
  visit_numeric(dtype, [&](auto zero) {
    using T = decltype(zero);
    GB_LAUNCH((unary_kernel<T>), blocks_for(space.numel), kThreads, 0, stream, op, static_cast<T*>(out),
              static_cast<const T*>(a), space);
  });
}

}  // namespace gb::cuda
