// AT_FORALL_FP32, as far as the operators exist here. Of the CPU's list the losses and prod are here: its bfloat16
// has float32's range.
#include "ops/autocast/wrap.h"
#include "ops/layer_norm/layer_norm.h"
#include "ops/loss/loss.h"
#include "ops/pow/pow.h"
#include "ops/reductions/reductions.h"
#include "ops/statistics/statistics.h"
#include "ops/unary/unary.h"

namespace gb::autocast {

GB_LIBRARY_IMPL(aten, AutocastCPU, m) {
  m.impl("mse_loss", GB_FN((WrapFunction<CastPolicy::fp32, kCPU, &mse_loss_op>::call)));
  m.impl("nll_loss", GB_FN((WrapFunction<CastPolicy::fp32, kCPU, &nll_loss_op>::call)));
  m.impl("cross_entropy_loss", GB_FN((WrapFunction<CastPolicy::fp32, kCPU, &cross_entropy_loss_op>::call)));
  m.impl("prod", GB_FN((WrapFunction<CastPolicy::fp32, kCPU, &prod_op>::call)));
  m.impl("prod.dim_int", GB_FN((WrapFunction<CastPolicy::fp32, kCPU, &prod_dim_op>::call)));
}
GB_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  m.impl("exp", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &exp_op>::call)));
  m.impl("log", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &log_op>::call)));
  m.impl("reciprocal", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &reciprocal_op>::call)));
  m.impl("rsqrt", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &rsqrt_op>::call)));
  m.impl("pow.Tensor_Scalar", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &pow_scalar_op>::call)));
  m.impl("pow.Tensor_Tensor", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &pow_op>::call)));
  m.impl("pow.Scalar", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &pow_of_number_op>::call)));
  m.impl("logsumexp", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &logsumexp_op>::call)));
  m.impl("layer_norm", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &layer_norm_op>::call)));
  m.impl("native_layer_norm", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &native_layer_norm_op>::call)));
  m.impl("mse_loss", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &mse_loss_op>::call)));
  m.impl("nll_loss", GB_FN((WrapFunction<CastPolicy::fp32, kCUDA, &nll_loss_op>::call)));
}

}  // namespace gb::autocast
