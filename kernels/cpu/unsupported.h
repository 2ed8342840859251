// The error of a kernel that has no code for a dtype. Operators check dtypes first and say it in their own
// words; this is what a caller of the kernels sees.
#pragma once

#include <string>

#include "core/scalar_type.h"

namespace gb::cpu {

[[noreturn]] void throw_unsupported(const char* kernel, ScalarType dtype);
[[noreturn]] void throw_unsupported(const char* kernel, ScalarType from, ScalarType to);

}  // namespace gb::cpu
