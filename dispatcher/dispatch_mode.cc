#include "dispatcher/dispatch_mode.h"

#include "core/error.h"
#include "dispatcher/library.h"

namespace gb {
namespace {

thread_local detail::ActiveMode* t_innermost = nullptr;

// The mode key is included exactly while there is a mode to ask.
void set_innermost(detail::ActiveMode* entry) {
  t_innermost = entry;
  impl::tls_set_dispatch_key_included(DispatchKey::Python, entry != nullptr);
}

// The fallback of the mode key, for every operator.
void ask_innermost(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  struct StepOut {  // the mode itself is inactive while it runs, and active again after it, also when it throws
    StepOut() : entry(t_innermost) { set_innermost(entry->outer); }
    ~StepOut() { set_innermost(entry); }
    detail::ActiveMode* entry;
  };
  GB_INTERNAL_ASSERT(t_innermost, "the mode key is included, but there is no mode");
  const StepOut step;
  constexpr DispatchKeySet below(DispatchKeySet::FULL_AFTER, DispatchKey::Python);
  step.entry->mode->dispatch(op, t_innermost ? ks : ks & below, stack);
}

}  // namespace

DispatchMode* active_dispatch_mode() { return t_innermost ? t_innermost->mode : nullptr; }

DispatchModeGuard::DispatchModeGuard(DispatchMode* mode) : entry_{mode, t_innermost} {
  for (const detail::ActiveMode* e = t_innermost; e; e = e->outer) {
    GB_CHECK_OR_THROW(e->mode != mode, Error, .what = "DispatchModeGuard: this mode is active already",
                      .cause = "one mode object was entered twice on this thread", .repair = "make a second object",
                      .chapter = chapters::kDispatch);
  }
  set_innermost(&entry_);
}

DispatchModeGuard::~DispatchModeGuard() { set_innermost(entry_.outer); }

bool DispatchMode::decompose(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const DispatchKey backend = highestPriorityBackendTypeId(ks);
  if (op.entry().reason(backend) != impl::SlotReason::kCompositeImplicit) return false;
  const DispatchModeGuard again(this);
  op.callBoxedForDispatchKey(backend, *stack);
  return true;
}

GB_LIBRARY_IMPL(_, Python, m) { m.fallback(CppFunction::makeFromBoxedFunction<&ask_innermost>()); }
// Keys that do nothing unless an operator says otherwise.
GB_LIBRARY_IMPL(_, BackendSelect, m) { m.fallback(CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(_, Functionalize, m) { m.fallback(CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(_, ADInplaceOrView, m) { m.fallback(CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(_, Tracer, m) { m.fallback(CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(_, AutocastFunctionality, m) { m.fallback(CppFunction::makeFallthrough()); }

}  // namespace gb
