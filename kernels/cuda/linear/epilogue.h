// What happens to a sum on its way to memory: d = activation(alpha sum + beta c). Every rung ends with it.
#pragma once

#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/linear/gemm.h"

namespace gb::cuda {

// Passed to the kernel by value. A bias is a c whose rows are all the same memory (row_stride 0).
template <class T>
struct Epilogue {
  using C = compute_t<T>;
  C alpha, beta;
  const T* c;  // [batch, m, n] by its strides; not read where beta is 0, for NaN * 0 is NaN
  int64_t row_stride, col_stride, batch_stride;
  Activation activation;

  explicit Epilogue(const GemmArgs& g)
      : alpha(static_cast<C>(g.alpha)), beta(static_cast<C>(g.beta)), c(static_cast<const T*>(g.c.data)),
        row_stride(g.c.row_stride), col_stride(g.c.col_stride), batch_stride(g.c.batch_stride),
        activation(g.activation) {}

  // The value of element (i, j) of matrix l, not yet rounded to T.
  __device__ C operator()(C sum, int64_t l, int64_t i, int64_t j) const {
    C x = alpha * sum;
    if (beta != 0) x += beta_c(l, i, j);
    return activate(x);
  }

  // Its parts, for rungs that hold many sums per thread and go through them part by part.
  __device__ C beta_c(int64_t l, int64_t i, int64_t j) const {
    return beta * static_cast<C>(c[l * batch_stride + i * row_stride + j * col_stride]);
  }
  __device__ C activate(C x) const {
    if (activation == Activation::Relu) return x < 0 ? C(0) : x;  // NaN stays
    if (activation == Activation::Gelu) {
      const C u = C(0.7978845608028654) * (x + C(0.044715) * x * x * x);
      // 0.5 (1 + tanh u) = 1 / (1 + exp(-2 u)). For what is rounded to a half type the fast functions are exact enough.
      // Where exp is infinity the quotient is -0, as with tanh, and NaN for x = -infinity, as there.
      if constexpr (sizeof(T) == 2) return __fdividef(x, 1 + __expf(-2 * u));
      return C(0.5) * x * (1 + tanh(u));
    }
    return x;
  }
};

}  // namespace gb::cuda
