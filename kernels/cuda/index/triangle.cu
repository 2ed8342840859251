// zero_outside_triangle: a thread per element; those inside are left alone.
#include "kernels/cuda/element.h"
#include "kernels/cuda/index/triangle.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// data: elements of `space`, whose last two dimensions are rows and columns
template <class Bits>
__global__ void triangle_kernel(Bits* data, Space<1> space, int64_t rows, int64_t columns, int64_t diagonal,
                                bool lower) {
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const int64_t column = i % columns, row = i / columns % rows, above = column - row;  // how far above the diagonal
  if (lower ? above > diagonal : above < diagonal) data[space.at(i).of[0]] = 0;
}

}  // namespace

void zero_outside_triangle(ScalarType dtype, void* data, const Strided<1>& it, int64_t rows, int64_t columns,
                           int64_t diagonal, bool lower, StreamHandle stream) {
  if (!isSupportedType(dtype)) throw_no_kernel(lower ? "tril" : "triu", dtype);
  const Space<1> space = make_space(it);
  if (space.numel == 0) return;
  visit_bits(dtype, [&](auto zero) {
    using Bits = decltype(zero);
    GB_LAUNCH((triangle_kernel<Bits>), blocks_for(space.numel), kThreads, 0, stream, static_cast<Bits*>(data), space,
              rows, columns, diagonal, lower);
  });
}

}  // namespace gb::cuda
