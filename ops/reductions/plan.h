// ReductionPlan: all that CPU, CUDA and Meta kernels of a reduction have in common: which dimensions go, the
// sizes and dtypes, what is refused, and the two spaces that a kernel walks.
#pragma once

#include <vector>

#include "core/tensor.h"
#include "kernels/cpu/reduce.h"

namespace gb {

// reduced[d] says whether dimension d goes. No dim, or an empty list: all of them. Throws IndexError for one
// that is not there and Error for one named twice.
std::vector<bool> reduced_dims(OptionalIntArrayRef dim, int64_t ndim, const char* op);

struct ReductionPlan {
  // Throws what the operator throws; nothing is made before.
  ReductionPlan(cpu::ReduceOp op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                std::optional<ScalarType> dtype);

  // The spaces of kernels/cpu/reduce.h, for a contiguous output and `input`, which has self's sizes.
  cpu::Dims<2> kept(const Tensor& input) const;
  cpu::Dims<1> reduced(const Tensor& input) const;

  std::vector<bool> is_reduced;
  std::vector<int64_t> sizes;  // of the output
  ScalarType input_dtype;      // self is converted to this first
  ScalarType kernel_dtype;     // what the kernel writes
  ScalarType output_dtype;     // what that is converted to
};

}  // namespace gb
