// What the tests of library/ share: lynx_cortex::softmax, written as a user would write it.
#pragma once

#include <string>
#include <vector>

#include "library/custom_op.h"

namespace gb::testing {

Tensor softmax_forward(const Tensor& x);  // over the last dimension; float32 or float64, contiguous, CPU
Tensor softmax_fake(const Tensor& x);
void softmax_setup_context(autograd::AutogradContext& ctx, ArrayRef<IValue> inputs, const IValue& output);
// y * (grad - sum(grad * y)), made of operators, so that it can be differentiated again.
Tensor softmax_backward(autograd::AutogradContext& ctx, const Tensor& grad);
// Forgets the sum.
Tensor wrong_softmax_backward(autograd::AutogradContext& ctx, const Tensor& grad);

CustomOpDef define_softmax();
CustomOpDef define_wrong_softmax();  // lynx_cortex::wrong_softmax

}  // namespace gb::testing
