// What addmm demands beyond mm, and the strides by which its bias is read.
#pragma once

#include "core/tensor.h"

namespace gb {

// Throws, or returns self as if expanded to [m, n].
impl::SizesAndStrides check_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                                  const Scalar& beta, const Scalar& alpha);

}  // namespace gb
