#include "kernels/cuda/errors.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::cuda {

void throw_no_kernel(const char* op, ScalarType dtype) {
  GB_THROW(NotImplementedError,
           .what = fmt::format("\"{}\" is not implemented on CUDA for '{}'", op, toString(dtype)),
           .cause = "the kernel's list of dtypes does not have it (see the header in kernels/cuda)",
           .repair = "convert the tensor first, with .to(dtype)", .chapter = chapters::kKernels);
}

void throw_space_too_deep(int ndim, int limit) {
  GB_THROW(
      ValueError, .what = fmt::format("a CUDA kernel cannot walk {} dimensions", ndim),
      .cause = fmt::format("{} dimensions are left after merging; the kernels' limit is {}", ndim, limit),
      .repair = "make the tensor contiguous, or reshape it to fewer dimensions",
      .chapter = chapters::kKernels);
}

}  // namespace gb::cuda
