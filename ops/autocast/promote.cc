// AT_FORALL_PROMOTE, as far as the operators exist here. The CPU's list (cat, stack, index_copy) names none
// of them.
#include "ops/autocast/wrap.h"
#include "ops/gather/gather.h"

namespace gb::autocast {

GB_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  m.impl("scatter_add", GB_FN((WrapFunction<CastPolicy::promote, kCUDA, &scatter_add_op>::call)));
}

}  // namespace gb::autocast
