// What tril and triu check, for every device: the result, uninitialised, or self, which may be written.
#pragma once

#include "core/tensor.h"

namespace gb {

Tensor triangle_result(const Tensor& self, bool lower);
void check_triangle_(const Tensor& self, bool lower);

}  // namespace gb
