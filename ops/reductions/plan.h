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

// The same as a list.
std::vector<int64_t> list_of(const std::vector<bool>& reduced);
// How many elements of a tensor of `sizes` go into each one of the result.
int64_t count_of(const std::vector<bool>& reduced, IntArrayRef sizes);
// `t`, of the sizes of a result, with a size 1 again where a dimension went.
Tensor restore_reduced_dims(const Tensor& t, const std::vector<bool>& reduced, bool keepdim);

// An IndexError where a largest (or smallest) of no elements is asked for.
void check_has_elements(const char* op, const Tensor& self, OptionalIntArrayRef dim,
                        const std::vector<bool>& reduced);

struct ReductionPlan {
  // Throws what the operator throws; nothing is made before. `name`: the operator's, where it is not that of `op`.
  ReductionPlan(cpu::ReduceOp op, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                std::optional<ScalarType> dtype, const char* name = nullptr);

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
