// ThreadSettings: what a thread that works for another one takes over from it: grad and inference mode, the dispatch
// keys it includes and excludes, the warning handler.
#pragma once

#include "core/autograd_state.h"
#include "core/warning.h"
#include "dispatcher/local_dispatch_key_set.h"

namespace gb::autograd {

class ThreadSettings {
 public:
  ThreadSettings()
      : autograd_(gb::detail::autograd_tls),
        keys_(gb::impl::tls_local_dispatch_key_set_),
        warnings_(WarningUtils::get_warning_handler()) {}

  void apply() const {
    gb::detail::autograd_tls = autograd_;
    gb::impl::tls_local_dispatch_key_set_ = keys_;
    WarningUtils::set_warning_handler(warnings_);
  }

 private:
  decltype(gb::detail::autograd_tls) autograd_;
  decltype(gb::impl::tls_local_dispatch_key_set_) keys_;
  WarningHandler* warnings_;
};

}  // namespace gb::autograd
