// The geometry of an expanded tensor: what expand() returns, and what addmm walks its bias by.
#pragma once

#include "core/tensor.h"

namespace gb {

// Sizes with every -1 replaced by self's own size, and strides: 0 where one element stands for many. New
// dimensions come in front. Throws ("The expanded size of the tensor (3) must match the existing size (2) at
// non-singleton dimension 0"); `op` names the caller. Source of the rule: inferExpandGeometry
// (ATen/ExpandUtils.cpp).
impl::SizesAndStrides expand_geometry(const Tensor& self, IntArrayRef sizes, const char* op);

}  // namespace gb
