// Which sizes a view asks for, and whether strides exist that show the same elements in them.
//
// Source of the rules: infer_size and computeStride in PyTorch's ATen (InferSize.h, TensorUtils.cpp).
#pragma once

#include "core/tensor.h"

namespace gb {

// `shape` with its one -1, if any, replaced by what is left of numel; the strides are those of a contiguous
// tensor. Throws where it does not come out at numel elements ("shape '[6]' is invalid for input of size 8").
impl::SizesAndStrides infer_view_sizes(IntArrayRef shape, int64_t numel, const char* op);

// Sets the strides under which `geometry`'s sizes walk self's elements in the same order. false: there are
// none, and only a copy helps. REQUIRES as many elements on both sides.
bool set_view_strides(const Tensor& self, impl::SizesAndStrides& geometry);

}  // namespace gb
