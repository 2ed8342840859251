// Linear, rung 1: one thread per output element, a dot product read straight from memory. The first rung.
//
//   d[i][j] = activation(alpha * sum_p a[i][p] * b[p][j] + beta * c[i][j])
//
// What the rungs above repair: each element of a is read n times and each of b m times, from memory or cache,
// for 2 flops a pair; with b a transposed view (the weight of a Linear layer), neighbouring threads read
// addresses k apart.
#include "kernels/cuda/linear/epilogue.h"
#include "kernels/cuda/linear/rungs.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::linear_01_naive {
namespace {

// a: [m, k], b: [k, n], c, d: [m, n], `batch` of each; each with its own strides
template <class T>
__global__ void gemm_kernel(GemmArgs g, Epilogue<T> epilogue) {
  using C = compute_t<T>;
  const int64_t element = thread_number();
  if (element >= g.batch * g.m * g.n) return;
  const int64_t row = element / g.n, j = element - row * g.n;  // neighbouring threads: neighbouring columns
  const int64_t l = row / g.m, i = row - l * g.m;

  const T* a_row = static_cast<const T*>(g.a.data) + l * g.a.batch_stride + i * g.a.row_stride;  // [k]
  const T* b_col = static_cast<const T*>(g.b.data) + l * g.b.batch_stride + j * g.b.col_stride;  // [k]
  C sum = 0;
  for (int64_t p = 0; p < g.k; ++p)
    sum += static_cast<C>(a_row[p * g.a.col_stride]) * static_cast<C>(b_col[p * g.b.row_stride]);

  static_cast<T*>(g.d.data)[l * g.d.batch_stride + i * g.d.row_stride + j * g.d.col_stride] =
      static_cast<T>(epilogue(sum, l, i, j));
}

}  // namespace

void gemm(const GemmArgs& args, StreamHandle stream) {
  visit_floating(args.dtype, [&](auto zero) {
    using T = decltype(zero);
    GB_LAUNCH((gemm_kernel<T>), blocks_for(args.batch * args.m * args.n), kThreads, 0, stream, args,
              Epilogue<T>(args));
  });
}

}  // namespace gb::cuda::linear_01_naive
