// One operator, taken up every rung of its ladder: the dispatch trace of each, or the kernels that it launches.
// On the device CUDA, which may be the host runner.
#pragma once

#include <cstdint>
#include <string>

#include "core/scalar_type.h"

namespace gb::labs {

std::string softmax_ladder(int64_t rows, int64_t cols);  // the trace of gb::softmax over rows of `cols` floats, each

// The launches of gb::linear of [rows, in], 600 features wide as the LM head, and of the two products of its backward; and
// the whole trace of forward without a choice. A rung that does not take a product leaves it to one below: the launch names
// the file.
std::string linear_ladder(ScalarType dtype, int64_t rows, int64_t in);

}  // namespace gb::labs
