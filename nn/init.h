// Initial weights: each function overwrites its tensor in place, unrecorded, and returns it.
//
// GPT's rule, which the grammar model follows: normal_(w, 0, 0.02) for every weight, zeros_(b) for every bias.
// Values are drawn in row-major order as double and rounded once to the tensor's dtype, so a float32 model is the
// rounded float64 model of the same seed. Names follow torch/nn/init.h, which draws from the global generator.
#pragma once

#include "core/tensor.h"
#include "nn/random.h"

namespace gb::nn::init {

// REQUIRES a floating dtype, std >= 0: throws ValueError.
Tensor normal_(Tensor tensor, double mean = 0, double std = 1, Random& random = default_random());
// In [low, high). REQUIRES a floating dtype, low <= high: throws ValueError.
Tensor uniform_(Tensor tensor, double low = 0, double high = 1, Random& random = default_random());
Tensor constant_(Tensor tensor, const Scalar& value);
Tensor zeros_(Tensor tensor);
Tensor ones_(Tensor tensor);

}  // namespace gb::nn::init
