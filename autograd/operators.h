// The few operators that the engine itself calls, by name. autograd/ stands below ops/, so it knows no
// operator; each handle is looked up on first use. With gradients on, these calls are recorded like any
// other.
#pragma once

#include "core/tensor.h"

namespace gb::autograd::ops {

Tensor add(const Tensor& self, const Tensor& other);            // aten::add.Tensor
void add_(const Tensor& self, const Tensor& other);             // aten::add_.Tensor
Tensor sum(const Tensor& self, IntArrayRef dims);               // aten::sum.dim_IntList, keepdim
Tensor sum(const Tensor& self);                                // aten::sum
Tensor view(const Tensor& self, IntArrayRef sizes);             // aten::view
Tensor clone(const Tensor& self);                               // aten::clone, contiguous
void copy_(const Tensor& self, const Tensor& src);              // aten::copy_
void zero_(const Tensor& self);                                 // aten::zero_
bool has_nan(const Tensor& self);                               // aten::ne.Tensor, aten::sum
Tensor as_strided(const Tensor& self, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset);  // aten::as_strided
Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);  // aten::empty_strided
Tensor clone_as(const Tensor& self, IntArrayRef strides);       // aten::empty_strided, aten::copy_
Tensor zeros(IntArrayRef sizes, const TensorOptions& options);  // aten::zeros
Tensor zeros_like(const Tensor& self);                          // aten::zeros_like
Tensor ones_like(const Tensor& self);                           // aten::ones_like
Tensor to_dtype(const Tensor& self, ScalarType dtype);          // aten::to.dtype

}  // namespace gb::autograd::ops
