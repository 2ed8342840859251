// What topk checks, for every device: the sizes of both results.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace gb {

std::vector<int64_t> topk_sizes(const Tensor& self, int64_t k, int64_t dim);

}  // namespace gb
