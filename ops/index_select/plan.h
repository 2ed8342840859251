// What index_select and index_add_ check and walk, for every device.
#pragma once

#include "core/tensor.h"
#include "kernels/cpu/strided.h"

namespace gb {

Tensor index_select_result(const Tensor& self, int64_t dim, const Tensor& index);  // uninitialised
void check_index_add_(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source);

// The space of `slices`, which is one of the two operands and has one slice per index. The other operand
// stands still along dim, the index everywhere else.
cpu::Dims<3> slice_space(const Tensor& first, const Tensor& second, const Tensor& slices, int64_t dim);

}  // namespace gb
