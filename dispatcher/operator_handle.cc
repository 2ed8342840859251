#include "dispatcher/operator_handle.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb {
namespace {

// Boxed hops are reported like unboxed ones; the arguments are the last n values of the stack.
void run_boxed(trace::CallKind kind, const OperatorHandle& op, const impl::RegisteredKernel& registered, DispatchKeySet ks,
               Stack* stack) {
  if (trace::is_enabled()) [[unlikely]] {
    const size_t n = op.hasSchema() ? std::min(op.schema().arguments().size(), stack->size()) : 0;
    std::vector<DispatchKeySet> keys;
    for (size_t i = stack->size() - n; i < stack->size(); ++i) {
      keys.push_back(impl::OperatorEntry::keys_of_value((*stack)[i]));
    }
    trace::Hop hop(kind, op.entry(), registered, ks, keys.data(), keys.size());
    try {
      return registered.kernel.callBoxed(op, ks, stack);
    } catch (...) {
      hop.note_exception();
      throw;
    }
  }
  registered.kernel.callBoxed(op, ks, stack);
}

}  // namespace

void OperatorHandle::check_signature(const impl::CppSignature& asked) const {
  const std::optional<impl::CppSignature> registered = entry_->cpp_signature();
  GB_CHECK_OR_THROW(!registered || *registered == asked, Error,
                    .what = fmt::format("{}: tried to access the operator with a wrong signature", toString(operator_name())),
                    .cause = fmt::format("asked for:  {}\n           registered: {}{}", asked.name(), registered->name(),
                                         hasSchema() ? "\n           schema:     " + toString(schema()) : ""),
                    .repair = "ask for the registered C++ types exactly (T and const T& differ)",
                    .chapter = chapters::kDispatch);
}

void OperatorHandle::callBoxed(Stack* stack) const {
  const DispatchKeySet ks = entry_->keysetBoxed(*stack);
  run_boxed(trace::CallKind::kCallBoxed, *this, entry_->lookup(ks), ks, stack);
}

void OperatorHandle::redispatchBoxed(DispatchKeySet ks, Stack* stack) const {
  run_boxed(trace::CallKind::kRedispatchBoxed, *this, entry_->lookup(ks), ks, stack);
}

void OperatorHandle::callBoxedForDispatchKey(DispatchKey key, Stack& stack) const {
  run_boxed(trace::CallKind::kRedispatchBoxed, *this, entry_->slot(key), DispatchKeySet(key), &stack);
}

}  // namespace gb
