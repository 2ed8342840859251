// The errors that kernels raise, out of line so that .cu files need no fmt.
#pragma once

#include "core/scalar_type.h"

namespace gb::cuda {

[[noreturn]] void throw_no_kernel(const char* op, ScalarType dtype);  // NotImplementedError
[[noreturn]] void throw_space_too_deep(int ndim, int limit);          // ValueError

}  // namespace gb::cuda
