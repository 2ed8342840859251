// ThreadSettings: what a thread that works for another one takes over from it: grad and inference mode, the dispatch
// keys it includes and excludes, the hooks for saved tensors, the warning handler.
#pragma once

#include "autograd/saved_tensor_default_hooks.h"
#include "core/autograd_state.h"
#include "core/warning.h"
#include "dispatcher/local_dispatch_key_set.h"

namespace gb::autograd {

class ThreadSettings {
 public:
  ThreadSettings()
      : autograd_(gb::detail::autograd_tls),
        keys_(gb::impl::tls_local_dispatch_key_set_),
        hooks_(gb::detail::saved_tensor_hooks_tls),
        warnings_(WarningUtils::get_warning_handler()) {}

  void apply() const {
    gb::detail::autograd_tls = autograd_;
    // A mode belongs to its thread: it is active on this one as it was, whatever the other has.
    const bool has_mode = gb::impl::tls_is_dispatch_key_included(DispatchKey::Python);
    gb::impl::tls_local_dispatch_key_set_ = keys_;
    gb::impl::tls_set_dispatch_key_included(DispatchKey::Python, has_mode);
    gb::detail::saved_tensor_hooks_tls = hooks_;
    WarningUtils::set_warning_handler(warnings_);
  }

 private:
  decltype(gb::detail::autograd_tls) autograd_;
  decltype(gb::impl::tls_local_dispatch_key_set_) keys_;
  decltype(gb::detail::saved_tensor_hooks_tls) hooks_;
  WarningHandler* warnings_;
};

}  // namespace gb::autograd
