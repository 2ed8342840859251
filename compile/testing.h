// What the compiler's tests share.
#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"

namespace gb::tests {

// Contiguous, with values in [-1, 1) that depend on the seed alone.
Tensor seeded(IntArrayRef sizes, uint64_t seed, ScalarType dtype = kFloat);

// max |a - b|; infinity where sizes or dtypes differ. Reads contiguous float32 and float64.
double max_difference(const Tensor& a, const Tensor& b);

// opaque::softmax(Tensor x) -> Tensor: softmax over the last dimension, with CPU and Meta kernels and no
// lowering.
Tensor opaque_softmax(const Tensor& x);

bool has(const std::string& text, const std::string& part);

}  // namespace gb::tests
