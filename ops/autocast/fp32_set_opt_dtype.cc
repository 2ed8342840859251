// AT_FORALL_FP32_SET_OPT_DTYPE, as far as the operators exist here. The CPU has no such list.
#include "ops/autocast/wrap.h"
#include "ops/norm/norm.h"
#include "ops/reductions/reductions.h"
#include "ops/scan/scan.h"
#include "ops/softmax/softmax.h"

namespace gb::autocast {

template <auto* op>
using SetOptDtype = WrapFunction<CastPolicy::fp32_set_opt_dtype, kCUDA, op>;

GB_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  m.impl("softmax.int", GB_FN((SetOptDtype<&softmax_op>::call)));
  m.impl("log_softmax.int", GB_FN((SetOptDtype<&log_softmax_op>::call)));
  m.impl("cumsum", GB_FN((SetOptDtype<&cumsum_op>::call)));
  m.impl("linalg_vector_norm", GB_FN((SetOptDtype<&linalg_vector_norm_op>::call)));
  m.impl("prod", GB_FN((SetOptDtype<&prod_op>::call)));
  m.impl("prod.dim_int", GB_FN((SetOptDtype<&prod_dim_op>::call)));
  m.impl("sum", GB_FN((SetOptDtype<&sum_op>::call)));
  m.impl("sum.dim_IntList", GB_FN((SetOptDtype<&sum_dim_op>::call)));
}

}  // namespace gb::autocast
