// The dtype of cumsum's result; checks its arguments.
#pragma once

#include "core/tensor.h"

namespace gb {

ScalarType cumsum_dtype(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype);

}  // namespace gb
