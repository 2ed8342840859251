// InferenceMode: for code that will never be differentiated. Grad mode off, no versions counted, no views
// remembered: tensors made inside have no version counter, and cannot be saved for backward later.
//
// How: the autograd keys are excluded, ADInplaceOrView is taken out of the included set, and new tensors get
// neither key. InferenceMode(false) inside restores normal mode. Names follow c10/core/InferenceMode.h.
#pragma once

#include "core/autograd_state.h"
#include "dispatcher/local_dispatch_key_set.h"

namespace gb {

class InferenceMode {
 public:
  explicit InferenceMode(bool enabled = true) : before_(detail::autograd_tls), keys_(keys_for(enabled)) {
    detail::autograd_tls = {.grad_mode = !enabled, .inference_mode = enabled};
  }
  ~InferenceMode() { detail::autograd_tls = before_; }
  InferenceMode(const InferenceMode&) = delete;
  InferenceMode& operator=(const InferenceMode&) = delete;

  static bool is_enabled() { return detail::autograd_tls.inference_mode; }

 private:
  static impl::LocalDispatchKeySet keys_for(bool enabled) {
    impl::LocalDispatchKeySet keys = impl::tls_local_dispatch_key_set();
    constexpr DispatchKeySet kView(DispatchKey::ADInplaceOrView);
    keys.included_ = enabled ? keys.included_ - kView : keys.included_ | kView;
    keys.excluded_ =
        enabled ? keys.excluded_ | autograd_dispatch_keyset : keys.excluded_ - autograd_dispatch_keyset;
    return keys;
  }

  detail::AutogradTls before_;
  impl::ForceDispatchKeyGuard keys_;
};

}  // namespace gb
