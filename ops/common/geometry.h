// Geometry of elementwise operators: the shape of a result, its strides, and the space that a kernel walks.
//
// Broadcasting: shapes are aligned at their last dimension; a missing dimension counts as size 1, and a size
// 1 is stretched by giving it stride 0. A result without strides of its own follows its inputs: `x.t() +
// y.t()` is laid out as its operands are. Source of the rules: ExpandUtils.cpp and TensorIterator.cpp (ATen).
#pragma once

#include <vector>

#include "core/tensor.h"
#include "kernels/cpu/strided.h"

namespace gb {

// The broadcast shape. Throws "The size of tensor a (3) must match the size of tensor b (4) ...".
std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b);
// Throws unless `from` broadcasts to exactly `to`; `op` names the caller, as in "output with shape [3]
// doesn't match the broadcast shape [2, 3]".
void check_broadcasts_into(IntArrayRef from, IntArrayRef to, const char* op);

// Which of `rank` dimensions `dims` names. Throws where one is named twice: "dim 0 appears multiple times in
// the list of dims".
std::vector<bool> named_dims(IntArrayRef dims, int64_t rank, const char* op);

// Strides of a new result of `sizes` computed elementwise from `operands` (undefined ones are skipped), each
// of which broadcasts to `sizes`: dense, dimensions in the operands' order of strides.
std::vector<int64_t> elementwise_strides(IntArrayRef sizes, ArrayRef<const Tensor*> operands);

// Stride of t in dimension d of a space of `ndim` dimensions that t broadcasts to; 0 where it is stretched.
inline int64_t broadcast_stride(const Tensor& t, int64_t d, int64_t ndim) {
  const int64_t own = d - (ndim - t.dim());
  return own < 0 || t.sizes()[own] == 1 ? 0 : t.strides()[own];
}

// The space of operands[0], to which the others broadcast, in an order that suits memory.
template <int N>
cpu::Dims<N> elementwise_space(const Tensor* const (&operands)[N]) {
  const int64_t ndim = operands[0]->dim();
  cpu::Dims<N> dims;
  for (int64_t d = 0; d < ndim; ++d) {
    int64_t strides[N];
    for (int k = 0; k < N; ++k) strides[k] = broadcast_stride(*operands[k], d, ndim);
    dims.push(operands[0]->sizes()[d], strides);
  }
  return dims.ndim > 1 ? cpu::sorted_by_stride<N>(dims) : dims;
}

}  // namespace gb
