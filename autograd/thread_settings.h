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
    gb::impl::tls_local_dispatch_key_set_ = keys_;
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
