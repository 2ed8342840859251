// binary: out = a (op) b. One thread per element; the operation is a kernel argument, the same for all
// threads, so one kernel per dtype serves them all.
#include <type_traits>

#include "kernels/cuda/element.h"
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// Where T's arithmetic is done: half types in float, integers as unsigned (so that they wrap), bool as int.
template <class T>
struct Arithmetic {
  using type = compute_t<T>;
};
template <>
struct Arithmetic<int32_t> {
  using type = uint32_t;
};
template <>
struct Arithmetic<int64_t> {
  using type = uint64_t;
};
template <>
struct Arithmetic<bool> {
  using type = int;
};

// out, a, b: elements of `space`
template <class T>
__global__ void arithmetic_kernel(BinaryOp op, T* out, const T* a, const T* b, Space<3> space, T alpha_as_t) {
  using C = typename Arithmetic<T>::type;
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const Offsets<3> at = space.at(i);
  const C x = static_cast<C>(static_cast<compute_t<T>>(a[at.of[1]]));
  const C y = static_cast<C>(static_cast<compute_t<T>>(b[at.of[2]]));
  const C alpha = static_cast<C>(static_cast<compute_t<T>>(alpha_as_t));
  C result = C();
  switch (op) {
    case BinaryOp::Add:
      result = x + alpha * y;
      break;
    case BinaryOp::Sub:
      result = x - alpha * y;
      break;
    case BinaryOp::Mul:
      result = x * y;
      break;
    case BinaryOp::Div:
      if constexpr (std::is_floating_point_v<C>) result = x / y;
      break;
    default:
      break;  // comparisons: the kernel below
  }
  out[at.of[0]] = static_cast<T>(result);
}

template <class T>
__global__ void comparison_kernel(BinaryOp op, bool* out, const T* a, const T* b, Space<3> space) {
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const Offsets<3> at = space.at(i);
  const auto x = static_cast<compute_t<T>>(a[at.of[1]]), y = static_cast<compute_t<T>>(b[at.of[2]]);
  bool result = false;
  switch (op) {
    case BinaryOp::Eq:
      result = x == y;
      break;
    case BinaryOp::Ne:
      result = x != y;
      break;
    case BinaryOp::Lt:
      result = x < y;
      break;
    case BinaryOp::Le:
      result = x <= y;
      break;
    case BinaryOp::Gt:
      result = x > y;
      break;
    case BinaryOp::Ge:
      result = x >= y;
      break;
    default:
      break;
  }
  out[at.of[0]] = result;
}

const char* name_of(BinaryOp op) {
  static const char* const kNames[] = {"add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge"};
  return op <= BinaryOp::Ge ? kNames[static_cast<int>(op)] : "binary";
}

bool supported(BinaryOp op, ScalarType dtype) {
  if (op > BinaryOp::Ge) return false;
  if (op == BinaryOp::Div) return isFloatingType(dtype);
  return isSupportedType(dtype) && !(op == BinaryOp::Sub && dtype == kBool);
}

}  // namespace

void binary(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b, const Strided<3>& it,
            ScalarArg alpha, StreamHandle stream) {
  if (!supported(op, dtype)) throw_no_kernel(name_of(op), dtype);
  const Space<3> space = make_space(it);
  if (space.numel == 0) return;
  visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T *x = static_cast<const T*>(a), *y = static_cast<const T*>(b);
    if (cpu::isComparison(op)) {
      GB_LAUNCH((comparison_kernel<T>), blocks_for(space.numel), kThreads, 0, stream, op,
                static_cast<bool*>(out), x, y, space);
    } else {
      const T scale = std::is_integral_v<T> ? convert<T>(alpha.i) : convert<T>(alpha.d);
      GB_LAUNCH((arithmetic_kernel<T>), blocks_for(space.numel), kThreads, 0, stream, op,
                static_cast<T*>(out), x, y, space, scale);
    }
  });
}

}  // namespace gb::cuda
