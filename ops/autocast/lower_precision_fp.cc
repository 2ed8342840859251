// AT_FORALL_LOWER_PRECISION_FP and its CPU twin, as far as the operators exist here: both name these, but mv,
// which is CUDA's.
#include "ops/addmm/addmm.h"
#include "ops/attention/attention.h"
#include "ops/autocast/wrap.h"
#include "ops/bmm/bmm.h"
#include "ops/linear/linear.h"
#include "ops/matmul/matmul.h"
#include "ops/mm/mm.h"

namespace gb::autocast {

template <DeviceType device, auto* op>
using LowerPrecision = WrapFunction<CastPolicy::lower_precision_fp, device, op>;

GB_LIBRARY_IMPL(aten, AutocastCPU, m) {
  m.impl("mm", GB_FN((LowerPrecision<kCPU, &mm_op>::call)));
  m.impl("addmm", GB_FN((LowerPrecision<kCPU, &addmm_op>::call)));
  m.impl("linear", GB_FN((LowerPrecision<kCPU, &linear_op>::call)));
  m.impl("matmul", GB_FN((LowerPrecision<kCPU, &matmul_op>::call)));
  m.impl("bmm", GB_FN((LowerPrecision<kCPU, &bmm_op>::call)));
  m.impl("baddbmm", GB_FN((LowerPrecision<kCPU, &baddbmm_op>::call)));
  m.impl("scaled_dot_product_attention",
         GB_FN((LowerPrecision<kCPU, &scaled_dot_product_attention_op>::call)));
}
GB_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  m.impl("mm", GB_FN((LowerPrecision<kCUDA, &mm_op>::call)));
  m.impl("addmm", GB_FN((LowerPrecision<kCUDA, &addmm_op>::call)));
  m.impl("linear", GB_FN((LowerPrecision<kCUDA, &linear_op>::call)));
  m.impl("matmul", GB_FN((LowerPrecision<kCUDA, &matmul_op>::call)));
  m.impl("bmm", GB_FN((LowerPrecision<kCUDA, &bmm_op>::call)));
  m.impl("baddbmm", GB_FN((LowerPrecision<kCUDA, &baddbmm_op>::call)));
  m.impl("scaled_dot_product_attention",
         GB_FN((LowerPrecision<kCUDA, &scaled_dot_product_attention_op>::call)));
  m.impl("mv", GB_FN((LowerPrecision<kCUDA, &mv_op>::call)));
}

}  // namespace gb::autocast
