// What a thread has switched on.
//
// The autocast key is one functionality with a slot per backend, so the excluded set holds one bit for all
// devices: it is taken off while any device is enabled, and the kernels ask which one it is (wrap.h). In
// PyTorch each device has a functionality of its own.
#include "ops/autocast/autocast.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::autocast {
namespace {

constexpr DispatchKey kAutocast = DispatchKey::AutocastFunctionality;
thread_local detail::State t_state;
thread_local int t_nesting = 0;

// Null for a device without autocast.
detail::State::Device* find(DeviceType device) {
  switch (device) {
    case kCPU:
      return &t_state.cpu;
    case kCUDA:
      return &t_state.cuda;
    case kPrivateUse1:
      return &t_state.private_use1;
    default:
      return nullptr;
  }
}

detail::State::Device& state_of(DeviceType device) {
  detail::State::Device* state = find(device);
  GB_CHECK_OR_THROW(state, ValueError,
                    .what = fmt::format("autocast: unknown device type for autocast: {}", toString(device)),
                    .cause = "autocast has kernels for cpu and cuda, and a key for privateuseone",
                    .repair = "name one of these devices", .chapter = chapters::kDispatch);
  return *state;
}

}  // namespace

bool is_autocast_enabled(DeviceType device) {
  const detail::State::Device* state = find(device);
  return state && state->enabled && !impl::tls_is_dispatch_key_excluded(kAutocast);
}

void set_autocast_enabled(DeviceType device, bool enabled) {
  state_of(device).enabled = enabled;
  const bool any = t_state.cpu.enabled || t_state.cuda.enabled || t_state.private_use1.enabled;
  impl::tls_set_dispatch_key_excluded(kAutocast, !any);
}

ScalarType get_autocast_dtype(DeviceType device) { return state_of(device).dtype; }
void set_autocast_dtype(DeviceType device, ScalarType dtype) { state_of(device).dtype = dtype; }

int increment_nesting() { return ++t_nesting; }
int decrement_nesting() { return --t_nesting; }

bool is_autocast_cache_enabled() { return t_state.cache; }
void set_autocast_cache_enabled(bool enabled) { t_state.cache = enabled; }

AutocastGuard::AutocastGuard(DeviceType device, std::optional<ScalarType> dtype, bool enabled,
                             bool cache_enabled)
    : before_(t_state), excluded_before_(impl::tls_is_dispatch_key_excluded(kAutocast)) {
  GB_CHECK_OR_THROW(!dtype || *dtype == kHalf || *dtype == kBFloat16, ValueError,
                    .what = fmt::format("autocast: {} is not a dtype of lower precision", toString(*dtype)),
                    .cause = "a region computes its matrix products in float16 or bfloat16",
                    .repair = "name one of the two, or leave it out", .chapter = chapters::kDispatch);
  set_autocast_enabled(device, enabled);
  if (dtype) set_autocast_dtype(device, *dtype);
  set_autocast_cache_enabled(cache_enabled);
  increment_nesting();
}

AutocastGuard::~AutocastGuard() {
  if (decrement_nesting() == 0) clear_cache();
  t_state = before_;
  impl::tls_set_dispatch_key_excluded(kAutocast, excluded_before_);
}

}  // namespace gb::autocast
