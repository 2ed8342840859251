// cat and stack: several tensors in one; cat along a dimension they have, stack along a new one.
//
//   cat({[[1, 2]], [[3, 4]]}, 0)  = [[1, 2], [3, 4]]      stack({[1, 2], [3, 4]}, 0) = [[1, 2], [3, 4]]
//
// Dtypes are promoted. The result is row-major. cat skips 1-d tensors without elements, whatever the others'
// sizes are: a rule from the time when an empty tensor had no other shape. Names follow
// ATen/native/TensorShape.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor cat(TensorList tensors, int64_t dim = 0);
Tensor stack(TensorList tensors, int64_t dim = 0);

inline const auto& cat_op() { return operator_of<"aten::cat", Tensor(TensorList, int64_t)>(); }
inline const auto& stack_op() { return operator_of<"aten::stack", Tensor(TensorList, int64_t)>(); }

// Does cat skip a tensor of these sizes?
inline bool is_skipped_by_cat(IntArrayRef sizes) { return sizes.size() == 1 && sizes[0] == 0; }
// dim counted from the front in the first tensor that is not skipped. Throws IndexError.
int64_t wrapped_cat_dim(TensorList tensors, int64_t dim);

}  // namespace gb
