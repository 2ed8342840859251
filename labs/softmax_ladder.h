// One gb::softmax, taken down every rung of the ladder: the dispatch trace of each, with the kernel that it launches.
#pragma once

#include <string>

namespace gb::labs {

// Softmax over rows of `cols` floats on the device CUDA, which may be the host runner.
std::string softmax_ladder(int64_t rows, int64_t cols);

}  // namespace gb::labs
