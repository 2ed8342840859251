// One operator, taken down every rung of its ladder: the dispatch trace of each, with the kernels that it launches.
// On the device CUDA, which may be the host runner.
#pragma once

#include <cstdint>
#include <string>

#include "core/scalar_type.h"

namespace gb::labs {

std::string softmax_ladder(int64_t rows, int64_t cols);  // gb::softmax over rows of `cols` floats

// gb::linear of [rows, in], 600 features wide as the LM head, and the two products of its backward. A rung that does not
// take a product leaves it to one below, whose kernel then stands in the trace.
std::string linear_ladder(ScalarType dtype, int64_t rows, int64_t in);

}  // namespace gb::labs
