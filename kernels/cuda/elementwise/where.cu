// where: out = condition ? a : b. Bits move, so there is one kernel per element size.
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/elementwise/loops.h"

namespace gb::cuda {
namespace {

struct Choice {
  template <class Bits, int N>
  __device__ void operator()(Pack<Bits, N>& out, const Pack<bool, N>& condition, const Pack<Bits, N>& a,
                             const Pack<Bits, N>& b) const {
    for_each_of(out, [](bool c, Bits x, Bits y) { return c ? x : y; }, condition, a, b);
  }
};

}  // namespace

void where(ScalarType dtype, void* out, const bool* condition, const void* a, const void* b, const Strided<4>& it,
           StreamHandle stream) {
  if (!isSupportedType(dtype)) throw_no_kernel("where", dtype);
  visit_bits(dtype, [&](auto zero) {
    using Bits = decltype(zero);
    elementwise(Choice{}, make_space(it), stream, static_cast<Bits*>(out), condition, static_cast<const Bits*>(a),
                static_cast<const Bits*>(b));
  });
}

}  // namespace gb::cuda
