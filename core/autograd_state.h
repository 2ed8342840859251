// The two switches of autograd that every layer must be able to read: grad mode and inference mode, per thread.
// Names follow c10/core/GradMode.h and c10/core/AutogradState.h.
#pragma once

namespace gb {

namespace detail {
struct AutogradTls {
  bool grad_mode = true;
  bool inference_mode = false;
};
// constinit: no guard, no wrapper call, one thread-relative load.
inline constinit thread_local AutogradTls autograd_tls;
}  // namespace detail

// Is the tape recording on this thread?
struct GradMode {
  static bool is_enabled() { return detail::autograd_tls.grad_mode; }
  static void set_enabled(bool enabled) { detail::autograd_tls.grad_mode = enabled; }
};

// Sets grad mode for a scope.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool enabled) : before_(GradMode::is_enabled()) { GradMode::set_enabled(enabled); }
  ~AutoGradMode() { GradMode::set_enabled(before_); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool before_;
};

// Switches recording off for a scope.
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};

}  // namespace gb
