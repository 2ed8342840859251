#include "kernels/cpu/unsupported.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::cpu {

void throw_unsupported(const char* kernel, ScalarType dtype) {
  GB_THROW(NotImplementedError,
           .what = fmt::format("\"{}_cpu\" not implemented for '{}'", kernel, toString(dtype)),
           .cause = fmt::format("the CPU kernel of {} has no code for dtype {}", kernel, toString(dtype)),
           .repair = "convert the tensor to a dtype that the operator supports",
           .chapter = chapters::kKernels);
}

void throw_unsupported(const char* kernel, ScalarType from, ScalarType to) {
  GB_THROW(NotImplementedError,
           .what = fmt::format("\"{}_cpu\" not implemented for '{}' to '{}'", kernel, toString(from),
                               toString(to)),
           .cause = fmt::format("the CPU kernel of {} has no code that reads {} and writes {}", kernel,
                                toString(from), toString(to)),
           .repair = "convert the tensor first", .chapter = chapters::kKernels);
}

}  // namespace gb::cpu
