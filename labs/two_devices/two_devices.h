// One custom operator with a kernel for the CPU and one for CUDA: the tensor's device chooses.
#pragma once

#include "library/custom_op.h"

namespace gb::labs {

// lynx_cortex::row_softmax(Tensor x) -> Tensor, over the last dimension of float32. Gradients and fake included.
CustomOpDef register_row_softmax();

}  // namespace gb::labs
