// AT_FORALL_PROMOTE, as far as the operators exist here. The CPU's list (cat, stack, index_copy) names none
// of them.
#include "ops/addc/addc.h"
#include "ops/autocast/wrap.h"
#include "ops/gather/gather.h"
#include "ops/matmul/matmul.h"

namespace gb::autocast {

GB_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  m.impl("addcdiv", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &addcdiv_op>::call)));
  m.impl("addcmul", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &addcmul_op>::call)));
  m.impl("dot", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &dot_op>::call)));
  m.impl("scatter_add", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &scatter_add_op>::call)));
}

}  // namespace gb::autocast
