// AT_FORALL_PROMOTE and the CPU's list, as far as the operators exist here.
#include "ops/addc/addc.h"
#include "ops/autocast/wrap.h"
#include "ops/gather/gather.h"
#include "ops/join/join.h"
#include "ops/matmul/matmul.h"

namespace gb::autocast {

GB_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  m.impl("addcdiv", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &addcdiv_op>::call)));
  m.impl("addcmul", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &addcmul_op>::call)));
  m.impl("dot", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &dot_op>::call)));
  m.impl("scatter_add", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &scatter_add_op>::call)));
}
GB_LIBRARY_IMPL(aten, AutocastCPU, m) {
  m.impl("cat", GB_FN((WrapFunction<CastPolicy::promote, kCPU, &cat_op>::call)));
  m.impl("stack", GB_FN((WrapFunction<CastPolicy::promote, kCPU, &stack_op>::call)));
}

}  // namespace gb::autocast
