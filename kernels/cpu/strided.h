// Strided<N>: the iteration space of a kernel with N operands, and Dims<N>: the same with storage, coalescing
// as it is filled.
//
// Operand 0 is the one written. Sizes run outermost first; strides count ELEMENTS of the operand, not bytes;
// a broadcast dimension has stride 0. ndim == 0 is one element. Any size 0 is an empty space.
//
//   Dims<3> it;                                        // out, a, b
//   for (int d = 0; d < ndim; ++d) it.push(sizes[d], {out_strides[d], a_strides[d], b_strides[d]});
//   binary(BinaryOp::Add, kFloat, out, a, b, it, alpha);
//
// Source of the rule: TensorIteratorBase::coalesce_dimensions (aten/src/ATen/TensorIterator.cpp).
#pragma once

#include <cstdint>

namespace gb::cpu {

inline constexpr int kMaxDims = 64;  // as TensorIterator

template <int N>
struct Strided {
  int ndim;
  const int64_t* sizes;       // [ndim]
  const int64_t* strides[N];  // each [ndim]

  int64_t numel() const {
    int64_t n = 1;
    for (int d = 0; d < ndim; ++d) n *= sizes[d];
    return n;
  }
};

[[noreturn]] void throw_too_many_dims();

template <int N>
struct Dims {
  int ndim = 0;
  int64_t sizes[kMaxDims];  // only the first ndim are set: no loop clears the rest
  int64_t strides[N][kMaxDims];

  Dims() {}

  // Adds a dimension inside the ones so far. Size 1 adds nothing, and a dimension that continues the one
  // outside it in every operand (outer stride == size * stride) is merged into it.
  void push(int64_t size, const int64_t (&stride)[N]) {
    if (size == 1) return;
    if (ndim > 0) {
      bool continues = true;
      for (int k = 0; k < N; ++k) continues &= strides[k][ndim - 1] == size * stride[k];
      if (continues) {
        sizes[ndim - 1] *= size;
        for (int k = 0; k < N; ++k) strides[k][ndim - 1] = stride[k];
        return;
      }
    }
    if (ndim == kMaxDims) throw_too_many_dims();
    sizes[ndim] = size;
    for (int k = 0; k < N; ++k) strides[k][ndim] = stride[k];
    ++ndim;
  }

  operator Strided<N>() const {
    Strided<N> s{ndim, sizes, {}};
    for (int k = 0; k < N; ++k) s.strides[k] = strides[k];
    return s;
  }
};

// The same space with its dimensions reordered so that the strides of operand N-1, then N-2, ... fall from
// outside to inside, merged where that allows it. Only for work whose order does not matter (elementwise,
// reductions).
template <int N>
Dims<N> sorted_by_stride(const Strided<N>& s);  // defined for N = 1 to 4

// Visits the space row by row: calls row(context, offset_of_operand_0, ...) for every index of all dimensions
// but the last. REQUIRES ndim >= 1.
template <int N, class Row>
void for_each_row(const Strided<N>& s, Row&& row) {
  const int outer = s.ndim - 1;
  int64_t index[kMaxDims];
  for (int d = 0; d < outer; ++d) {
    if (s.sizes[d] == 0) return;
    index[d] = 0;
  }
  int64_t offset[N] = {};
  for (;;) {
    row(offset);
    int d = outer - 1;
    for (; d >= 0; --d) {  // odometer: step dimension d, or rewind it and carry
      for (int k = 0; k < N; ++k) offset[k] += s.strides[k][d];
      if (++index[d] < s.sizes[d]) break;
      for (int k = 0; k < N; ++k) offset[k] -= s.strides[k][d] * s.sizes[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace gb::cpu
