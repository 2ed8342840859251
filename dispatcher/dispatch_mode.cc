#include "dispatcher/dispatch_mode.h"

#include "core/error.h"
#include "dispatcher/library.h"

namespace gb {
namespace {

thread_local DispatchMode* t_innermost = nullptr;

// The mode key is included exactly while there is a mode to ask.
void set_innermost(DispatchMode* mode) {
  t_innermost = mode;
  impl::tls_set_dispatch_key_included(DispatchKey::Python, mode != nullptr);
}

}  // namespace

DispatchMode* active_dispatch_mode() { return t_innermost; }

DispatchModeGuard::DispatchModeGuard(DispatchMode* mode) : mode_(mode) {
  for (DispatchMode* m = t_innermost; m; m = m->outer_) {
    GB_CHECK_OR_THROW(m != mode, Error, .what = "DispatchModeGuard: this mode is active already",
                      .cause = "one mode object was entered twice on this thread", .repair = "make a second object",
                      .chapter = chapters::kDispatch);
  }
  mode->outer_ = t_innermost;
  set_innermost(mode);
}

DispatchModeGuard::~DispatchModeGuard() { set_innermost(mode_->outer_); }

// The fallback of the mode key, for every operator.
struct ModeFallback {
  static void run(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
    struct StepOut {  // the mode itself is inactive while it runs, and active again after it, also when it throws
      StepOut() : mode(t_innermost) { set_innermost(mode->outer_); }
      ~StepOut() { set_innermost(mode); }
      DispatchMode* mode;
    };
    GB_INTERNAL_ASSERT(t_innermost, "the mode key is included, but there is no mode");
    const StepOut step;
    constexpr DispatchKeySet below(DispatchKeySet::FULL_AFTER, DispatchKey::Python);
    step.mode->dispatch(op, t_innermost ? ks : ks & below, stack);
  }
};

GB_LIBRARY_IMPL(_, Python, m) { m.fallback(CppFunction::makeFromBoxedFunction<&ModeFallback::run>()); }
// Keys that do nothing unless an operator says otherwise.
GB_LIBRARY_IMPL(_, BackendSelect, m) { m.fallback(CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(_, Functionalize, m) { m.fallback(CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(_, ADInplaceOrView, m) { m.fallback(CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(_, Tracer, m) { m.fallback(CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(_, AutocastFunctionality, m) { m.fallback(CppFunction::makeFallthrough()); }

}  // namespace gb
