// The fast mode of gradcheck: instead of all entries of the Jacobian J of an output and an input, one number.
//
//   numerical   v . (f(x + eps u) - f(x - eps u)) / (2 eps)     two calls of f for each input
//   analytical  (v^T J) . u                                     one backward for each output
//
// u and v have random entries in [0, 1), by options.seed, and length 1. As in PyTorch atol is multiplied by sum(u) and
// sum(v): what it allows for every entry it allows for their sum. Two wrong entries may cancel each other out, and a slow
// check would have seen them. Where the two numbers differ, the slow mode runs for the message. Source:
// torch/autograd/gradcheck.py, _fast_gradcheck. Used by gradcheck.cc only.
#pragma once

#include "library/jacobian.h"

namespace gb::detail {

// `outputs` are those of f that require grad, which[k] the number of outputs[k]. Throws GradcheckError.
void check_fast(const TensorFunction& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
                const std::vector<size_t>& which, const GradcheckOptions& options, GradcheckReport& report);

}  // namespace gb::detail
