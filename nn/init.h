// Initial weights: each function overwrites its tensor in place, unrecorded, and returns it.
//
// GPT's rule, which the grammar model follows: normal_(w, 0, 0.02) for every weight, zeros_(b) for every bias.
// Numbers are drawn as ops/random/random.h says: in row-major order, in double, rounded once to the tensor's dtype, so
// a float32 model is the rounded float64 model of the same seed. Names follow torch/nn/init.h; without a generator
// both draw from the one that manual_seed sets.
#pragma once

#include <optional>

#include "core/generator.h"
#include "core/tensor.h"

namespace gb::nn::init {

// Both REQUIRE a floating dtype (NotImplementedError), and std >= 0, low <= high (ValueError).
Tensor normal_(Tensor tensor, double mean = 0, double std = 1, std::optional<Generator> generator = {});
Tensor uniform_(Tensor tensor, double low = 0, double high = 1, std::optional<Generator> generator = {});  // [low, high)
Tensor constant_(Tensor tensor, const Scalar& value);
Tensor zeros_(Tensor tensor);
Tensor ones_(Tensor tensor);

}  // namespace gb::nn::init
