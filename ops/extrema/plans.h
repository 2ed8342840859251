// What max.dim, min.dim, argmax and argmin check, and what their results are like, for every device.
#pragma once

#include "kernels/cpu/arg_reduce.h"
#include "ops/reductions/plan.h"

namespace gb {

using cpu::Extremum;

ReductionPlan extremum_plan(Extremum which, const Tensor& self, int64_t dim, bool keepdim);
// Of argmax and argmin; without a dim the whole of self is one line.
ReductionPlan position_plan(Extremum which, const Tensor& self, std::optional<int64_t> dim, bool keepdim);

}  // namespace gb
