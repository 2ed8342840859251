// binary, x to the y. Squares and cubes, which powers mostly are, are products.
#include "kernels/cuda/elementwise/families.h"
#include "kernels/cuda/elementwise/functions.h"
#include "kernels/cuda/elementwise/loops.h"

namespace gb::cuda {
namespace {

template <class T>
struct Power {
  template <int N>
  __device__ void operator()(Pack<T, N>& out, const Pack<T, N>& a, const Pack<T, N>& b) const {
    for_each_of(
        out,
        [](T base, T exponent) {
          if constexpr (std::is_integral_v<T>) {
            return integer_power(base, exponent);
          } else {
            const compute_t<T> x = static_cast<compute_t<T>>(base), y = static_cast<compute_t<T>>(exponent);
            return static_cast<T>(y == 2 ? x * x : y == 3 ? x * x * x : std::pow(x, y));
          }
        },
        a, b);
  }
};

}  // namespace

void power(ScalarType dtype, void* out, const void* a, const void* b, const Space<3>& space, StreamHandle stream) {
  visit_numeric(dtype, [&](auto zero) {
    using T = decltype(zero);
    elementwise(Power<T>{}, space, stream, static_cast<T*>(out), static_cast<const T*>(a), static_cast<const T*>(b));
  });
}

}  // namespace gb::cuda
