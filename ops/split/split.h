// split, split_with_sizes, chunk, unbind: one dimension cut into several views.
//
//   x of sizes {5, 2}    split(x, 2): sizes {2, 2}, {2, 2}, {1, 2}     chunk(x, 2): {3, 2}, {2, 2}
//                        split_with_sizes(x, {4, 1}): {4, 2}, {1, 2}   unbind(x): {2} five times
//
// Each call has one node with an output per view. chunk and split by sizes are composites and have none of
// their own. Names follow ATen/native/TensorShape.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim = 0);
std::vector<Tensor> split(const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0);
std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0);
std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim = 0);
std::vector<Tensor> unbind(const Tensor& self, int64_t dim = 0);

inline const auto& split_op() {
  return operator_of<"aten::split.Tensor", std::vector<Tensor>(const Tensor&, int64_t, int64_t)>();
}
inline const auto& split_sizes_op() {
  return operator_of<"aten::split.sizes", std::vector<Tensor>(const Tensor&, IntArrayRef, int64_t)>();
}
inline const auto& split_with_sizes_op() {
  return operator_of<"aten::split_with_sizes", std::vector<Tensor>(const Tensor&, IntArrayRef, int64_t)>();
}
inline const auto& chunk_op() {
  return operator_of<"aten::chunk", std::vector<Tensor>(const Tensor&, int64_t, int64_t)>();
}
inline const auto& unbind_op() {
  return operator_of<"aten::unbind.int", std::vector<Tensor>(const Tensor&, int64_t)>();
}

// The sizes that split(self, split_size, dim) cuts a dimension of `size` elements into.
std::vector<int64_t> split_lengths(int64_t size, int64_t split_size);

}  // namespace gb
