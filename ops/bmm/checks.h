// What the batched products demand of their operands; each throws before anything is made.
#pragma once

#include "core/tensor.h"

namespace gb {

// batch1 [b, m, k] and batch2 [b, k, n] of one dtype on one device.
void check_batches(const Tensor& batch1, const Tensor& batch2, const char* op);
// The rest of baddbmm's. Returns self as if expanded to [b, m, n].
impl::SizesAndStrides check_baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2,
                                    const Scalar& beta, const Scalar& alpha);
// Also that self has the sizes of the product and may be written.
void check_baddbmm_(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                    const Scalar& alpha);

}  // namespace gb
