// The list that PyTorch makes with KERNEL_DIFFERENT_REDISPATCH_SIGNATURE: an overload without a dtype goes on as the one
// that has it, so that the sum is made in float32. The CPU has no such list.
#include "ops/autocast/wrap.h"
#include "ops/norm/norm.h"

namespace gb::autocast {
namespace {

constexpr DispatchKeySet kAfterAutocast{DispatchKeySet::FULL_AFTER, DispatchKey::AutocastFunctionality};

Tensor norm_in_float32(DispatchKeySet ks, const Tensor& self, const Scalar& p) {
  if (!is_autocast_enabled(kCUDA)) return norm_op().redispatch(ks & kAfterAutocast, self, p);
  const impl::ExcludeDispatchKeyGuard no_autocast(autocast_dispatch_keyset);
  return is_eligible(self, kCUDA) ? norm(self, p, kFloat) : norm_op().call(self, p);
}

Tensor norm_of_dims_in_float32(DispatchKeySet ks, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim,
                               bool keepdim) {
  if (!is_autocast_enabled(kCUDA)) return norm_dim_op().redispatch(ks & kAfterAutocast, self, p, dim, keepdim);
  const impl::ExcludeDispatchKeyGuard no_autocast(autocast_dispatch_keyset);
  return is_eligible(self, kCUDA) ? norm(self, p, dim, keepdim, kFloat) : norm_dim_op().call(self, p, dim, keepdim);
}

}  // namespace

GB_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  m.impl("norm.Scalar", GB_FN(norm_in_float32));
  m.impl("norm.ScalarOpt_dim", GB_FN(norm_of_dims_in_float32));
}

}  // namespace gb::autocast
