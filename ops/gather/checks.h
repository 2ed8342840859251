// What gather and scatter_add demand of their operands, the space they walk, and the error for an index out
// of bounds.
#pragma once

#include "core/tensor.h"
#include "kernels/cpu/gather.h"

namespace gb {

// Both return `dim` counted from the front, or throw. An empty index fits everything.
int64_t check_gather(const Tensor& self, int64_t dim, const Tensor& index);
int64_t check_scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
// The same, for a self that is written: its elements are apart from each other and from what is read.
int64_t check_scatter_add_(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);

// index's space with three operands: `first`, `second` and index. The one whose element the index chooses
// (first for scatter_add, second for gather) stands still along dim.
cpu::Dims<3> index_space(const Tensor& first, const Tensor& second, const Tensor& index, int64_t dim,
                         bool first_is_indexed);

// A scalar counts as one dimension of size 1.
inline int64_t size_or_one(const Tensor& t, int64_t d) {
  return t.dim() == 0 ? 1 : t.sizes()[static_cast<size_t>(d)];
}
inline int64_t stride_or_one(const Tensor& t, int64_t d) {
  return t.dim() == 0 ? 1 : t.strides()[static_cast<size_t>(d)];
}

[[noreturn]] void throw_bad_index(const char* op, cpu::BadIndex bad, int64_t dim, int64_t dim_size);
inline void check_indices(const char* op, cpu::BadIndex bad, int64_t dim, int64_t dim_size) {
  if (bad) throw_bad_index(op, bad, dim, dim_size);
}

}  // namespace gb
