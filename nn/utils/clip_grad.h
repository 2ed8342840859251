// clip_grad_norm_: scales all gradients by one number, so that together, as one long vector, they are no longer than
// max_norm. Returns the norm before. Names follow torch/nn/utils/clip_grad.h.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace gb::nn::utils {

// norm_type: 2, or infinity (the largest absolute value); others throw NotImplementedError. Tensors without a gradient
// are left out. error_if_nonfinite: Error for an infinite or NaN norm, with nothing scaled; else it spreads to all.
double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2,
                       bool error_if_nonfinite = false);
inline double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type = 2,
                              bool error_if_nonfinite = false) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type, error_if_nonfinite);
}

}  // namespace gb::nn::utils
