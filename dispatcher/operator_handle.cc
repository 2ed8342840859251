#include "dispatcher/dispatcher.h"

#include <algorithm>

namespace gb {
namespace {

// Boxed hops are reported like unboxed ones; the arguments are the last n values of the stack.
[[gnu::noinline]] void run_traced(trace::CallKind kind, const OperatorHandle& op, const impl::RegisteredKernel& registered,
                                  DispatchKeySet ks, Stack* stack) {
  const size_t n = op.hasSchema() ? std::min(op.schema().arguments().size(), stack->size()) : 0;
  std::vector<DispatchKeySet> keys;
  for (size_t i = stack->size() - n; i < stack->size(); ++i) {
    keys.push_back(impl::OperatorEntry::keys_of_value((*stack)[i]));
  }
  trace::Hop hop(kind, op.entry(), registered, ks, keys.data(), keys.size());
  try {
    registered.kernel.callBoxed(op, ks, stack);
  } catch (...) {
    hop.note_exception();
    throw;
  }
}

void run_boxed(trace::CallKind kind, const OperatorHandle& op, const impl::RegisteredKernel& registered, DispatchKeySet ks,
               Stack* stack) {
  if (trace::is_enabled()) [[unlikely]] return run_traced(kind, op, registered, ks, stack);
  registered.kernel.callBoxed(op, ks, stack);
}

}  // namespace

bool OperatorHandle::hasTag(Tag tag) const {
  const ArrayRef<Tag> tags = getTags();
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

void OperatorHandle::callBoxed(Stack* stack) const {
  const impl::OperatorEntry::Selection found = entry_->select(entry_->argument_keys(*stack));
  if (found.kernel.kernel.isFallthrough() && found.keys.highestFunctionalityKey() != DispatchKey::Undefined) [[unlikely]] {
    return callBoxed(stack);  // as in SelectedKernel::run_untraced
  }
  run_boxed(trace::CallKind::kCallBoxed, *this, found.kernel, found.keys, stack);
}

void OperatorHandle::redispatchBoxed(DispatchKeySet ks, Stack* stack) const {
  run_boxed(trace::CallKind::kRedispatchBoxed, *this, entry_->lookup(ks), ks, stack);
}

void OperatorHandle::callBoxedForDispatchKey(DispatchKey key, Stack& stack) const {
  const DispatchKeySet ks = entry_->computeDispatchKeySet(entry_->argument_keys(stack));
  run_boxed(trace::CallKind::kRedispatchBoxed, *this, Dispatcher::singleton().registered_for(*entry_, key), ks, &stack);
}

}  // namespace gb
