// WrapFunction: the kernel of an operator at an Autocast key. One policy says to which dtype its arguments
// go:
//
//   lower_precision_fp   all to the region's dtype: matrix products          lower_precision_fp.cc
//   fp32                 all to float32: what overflows or cancels           fp32.cc
//   fp32_set_opt_dtype   none; its `ScalarType? dtype` argument is float32   fp32_set_opt_dtype.cc
//   promote              all to the widest among them                        promote.cc
//   (fp32_append_dtype: two overloads of norm, by hand                       fp32_append_dtype.cc)
//
// Then it calls the operator again, from the top, without the autocast keys: autograd comes next, and what
// the operator is made of is not cast again. Names follow ATen/autocast_mode.h.
#pragma once

#include "dispatcher/library.h"
#include "ops/autocast/autocast.h"
#include "ops/common/operator.h"

namespace gb::autocast {

enum class CastPolicy : uint8_t { lower_precision_fp, fp32, fp32_set_opt_dtype, promote };

// float32 as soon as one eligible argument is float32.
inline ScalarType prioritize(ScalarType current, const Tensor& arg, DeviceType device) {
  return is_eligible(arg, device) && arg.scalar_type() == kFloat ? kFloat : current;
}
inline ScalarType prioritize(ScalarType current, const std::optional<Tensor>& arg, DeviceType device) {
  return arg ? prioritize(current, *arg, device) : current;
}
inline ScalarType prioritize(ScalarType current, TensorList list, DeviceType device) {
  for (const Tensor& t : list) current = prioritize(current, t, device);
  return current;
}
template <class T>  // what is no tensor
ScalarType prioritize(ScalarType current, const T&, DeviceType) {
  return current;
}

// A dtype that the caller gave stays.
inline std::optional<ScalarType> set_opt_dtype(std::optional<ScalarType> dtype) {
  return dtype ? dtype : kFloat;
}
template <class T>
const T& set_opt_dtype(const T& arg) {
  return arg;
}

// m.impl("mm", GB_FN((WrapFunction<CastPolicy::lower_precision_fp, kCPU, &mm_op>::call)));
template <CastPolicy policy, DeviceType device, auto* op, class Handle = std::remove_cvref_t<decltype(op())>>
struct WrapFunction;

template <CastPolicy policy, DeviceType device, auto* op, class R, class First, class... Rest>
struct WrapFunction<policy, device, op, TypedOperatorHandle<R(First, Rest...)>> {
  static R call(DispatchKeySet ks, First first, Rest... rest) {
    // The region is another device's: they share the key's bit.
    if (!is_autocast_enabled(device)) return op().redispatch(ks & after_autocast, first, rest...);
    const impl::ExcludeDispatchKeyGuard no_autocast(autocast_dispatch_keyset);
    if constexpr (policy == CastPolicy::fp32_set_opt_dtype) {
      // On other arguments the dtype is left alone: to set it would change what they promote to.
      if (!is_eligible(first, device)) return op().call(first, rest...);
      return op().call(first, set_opt_dtype(rest)...);
    } else {
      ScalarType to = policy == CastPolicy::fp32 ? kFloat : get_autocast_dtype(device);
      if constexpr (policy == CastPolicy::promote) {
        to = prioritize(to, first, device);
        ((to = prioritize(to, rest, device)), ...);
      }
      return op().call(cached_cast(to, first, device), cached_cast(to, rest, device)...);
    }
  }
  static constexpr DispatchKeySet after_autocast{DispatchKeySet::FULL_AFTER,
                                                 DispatchKey::AutocastFunctionality};
};

}  // namespace gb::autocast
