// AT_FORALL_FP32, as far as the operators exist here. The CPU's list names neither: its bfloat16 has
// float32's range.
#include "ops/autocast/wrap.h"
#include "ops/unary/unary.h"

namespace gb::autocast {

GB_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  m.impl("exp", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &exp_op>::call)));
  m.impl("log", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &log_op>::call)));
}

}  // namespace gb::autocast
