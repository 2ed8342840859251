// OperatorHandle: an operator by reference; TypedOperatorHandle: the same with its C++ signature, which can be called.
//
// The two templates here, call and redispatch, are the hot path of every operator call. Read them first:
//   1. key set  = ((keys of the arguments | TLS include) - TLS exclude) & mask     OperatorEntry::keysetUnboxed
//   2. slot     = highest bit                                                      OperatorEntry::lookup
//   3. call the kernel in the slot                                                 KernelFunction::call
// They are always inlined, so no call stands between caller and kernel; gdb still lists them, as inlined frames (tools/gdb).
// A handle stays valid for the life of the program; calling one whose operator was removed is an error.
// Names follow ATen/core/dispatch/Dispatcher.h.
#pragma once

#include <type_traits>

#include "dispatcher/operator_entry.h"
#include "dispatcher/trace.h"

namespace gb {

template <class F>
class TypedOperatorHandle;

class OperatorHandle {
 public:
  explicit OperatorHandle(impl::OperatorEntry* entry) : entry_(entry) {}

  const OperatorName& operator_name() const { return entry_->operator_name(); }
  bool hasSchema() const { return entry_->hasSchema(); }
  const FunctionSchema& schema() const { return entry_->schema(); }
  const std::string& debug() const { return entry_->debug(); }
  std::string dumpState() const { return entry_->dumpState(); }
  std::string dumpComputedTable() const { return entry_->dumpComputedTable(); }
  bool hasKernelForDispatchKey(DispatchKey k) const { return entry_->hasKernelForDispatchKey(k); }
  bool hasKernelForAnyDispatchKey(DispatchKeySet ks) const { return entry_->hasKernelForAnyDispatchKey(ks); }
  bool hasComputedKernelForDispatchKey(DispatchKey k) const {
    return entry_->reason(k) != impl::SlotReason::kMissing && entry_->reason(k) != impl::SlotReason::kOperatorRemoved;
  }
  const impl::OperatorEntry& entry() const { return *entry_; }

  // Throws where F is not the C++ signature of the registered kernels.
  template <class F>
  TypedOperatorHandle<F> typed() const {
    check_signature(impl::CppSignature::make<F>());
    return TypedOperatorHandle<F>(entry_);
  }

  // Arguments on the stack are replaced by the results.
  void callBoxed(Stack* stack) const;
  void callBoxed(Stack& stack) const { callBoxed(&stack); }
  void redispatchBoxed(DispatchKeySet ks, Stack* stack) const;
  void callBoxedForDispatchKey(DispatchKey key, Stack& stack) const;

  friend bool operator==(const OperatorHandle& a, const OperatorHandle& b) { return a.entry_ == b.entry_; }

 protected:
  void check_signature(const impl::CppSignature& asked) const;
  impl::OperatorEntry* entry_;
};

template <class R, class... A>
class TypedOperatorHandle<R(A...)> final : public OperatorHandle {
 public:
  // [anchor: call]
  [[gnu::always_inline, gnu::artificial]] inline R call(A... args) const {
    const DispatchKeySet ks = entry_->keysetUnboxed(args...);
    const impl::RegisteredKernel& registered = entry_->lookup(ks);
    if (trace::is_enabled()) [[unlikely]] {
      return traced(trace::CallKind::kCall, registered, ks, std::forward<A>(args)...);
    }
    return registered.kernel.template call<R, A...>(*this, ks, std::forward<A>(args)...);
  }

  // For kernels: on to the highest key of `ks`, which is what the kernel received less what it serves.
  [[gnu::always_inline, gnu::artificial]] inline R redispatch(DispatchKeySet ks, A... args) const {
    const impl::RegisteredKernel& registered = entry_->lookup(ks);
    if (trace::is_enabled()) [[unlikely]] {
      return traced(trace::CallKind::kRedispatch, registered, ks, std::forward<A>(args)...);
    }
    return registered.kernel.template call<R, A...>(*this, ks, std::forward<A>(args)...);
  }

 private:
  friend class OperatorHandle;
  explicit TypedOperatorHandle(impl::OperatorEntry* entry) : OperatorHandle(entry) {}

  // The same call, reported.
  [[gnu::noinline]] R traced(trace::CallKind kind, const impl::RegisteredKernel& registered, DispatchKeySet ks,
                             A... args) const {
    const std::array<DispatchKeySet, sizeof...(A)> keys{impl::OperatorEntry::keys_of(args)...};
    trace::Hop hop(kind, *entry_, registered, ks, keys.data(), keys.size());
    try {
      return registered.kernel.template call<R, A...>(*this, ks, std::forward<A>(args)...);
    } catch (...) {
      hop.note_exception();
      throw;
    }
  }
};

}  // namespace gb
