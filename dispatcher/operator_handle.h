// OperatorHandle: an operator by reference; TypedOperatorHandle: the same with its C++ signature, which can be called.
//
// select() and SelectedKernel are the hot path of every operator call. Read them first:
//   1. key set  = ((keys of the arguments | TLS include) - TLS exclude) & mask     OperatorEntry::select_unboxed
//   2. slot     = highest bit
//   3. call the kernel in the slot                                                 SelectedKernel::plain or ::run
// All of it is always inlined, so no call stands between caller and kernel. gdb still lists the inlined function that holds the
// call instruction; select() only returns what to call, so an operator that ends in GB_RETURN_CALL calls its kernel from its
// own frame.
// A handle stays valid for the life of the program; calling one whose operator was removed is an error.
// Names follow ATen/core/dispatch/Dispatcher.h.
#pragma once

#include <type_traits>

#include "dispatcher/infer_schema.h"
#include "dispatcher/operator_entry.h"
#include "dispatcher/trace.h"

namespace gb {

template <class F>
class TypedOperatorHandle;
template <class F>
class SelectedKernel;

class OperatorHandle {
 public:
  explicit OperatorHandle(impl::OperatorEntry* entry) : entry_(entry) {}

  const OperatorName& operator_name() const { return entry_->operator_name(); }
  bool hasSchema() const { return entry_->hasSchema(); }
  const FunctionSchema& schema() const { return entry_->schema(); }
  const std::string& debug() const { return entry_->debug(); }
  ArrayRef<Tag> getTags() const { return entry_->getTags(); }
  bool hasTag(Tag tag) const;
  std::string dumpState() const { return entry_->dumpState(); }
  std::string dumpComputedTable() const { return entry_->dumpComputedTable(); }
  bool hasKernelForDispatchKey(DispatchKey k) const { return entry_->hasKernelForDispatchKey(k); }
  bool hasKernelForAnyDispatchKey(DispatchKeySet ks) const { return entry_->hasKernelForAnyDispatchKey(ks); }
  bool hasComputedKernelForDispatchKey(DispatchKey k) const {
    return entry_->reason(k) != impl::SlotReason::kMissing && entry_->reason(k) != impl::SlotReason::kOperatorRemoved;
  }
  bool isKernelFallthroughKernel(DispatchKey k) const { return entry_->slot(k).kernel.isFallthrough(); }
  void checkInvariants() const;  // throws where the table is not what the registrations make it
  const impl::OperatorEntry& entry() const { return *entry_; }

  // Throws where F is not the C++ signature of the registered kernels, or does not fit the schema.
  template <class F>
  TypedOperatorHandle<F> typed() const {
    entry_->check_typed(impl::CppSignature::make<F>(), *detail::inferFunctionSchemaFromFunctor<F>());
    return TypedOperatorHandle<F>(entry_);
  }

  // Arguments on the stack are replaced by the results.
  void callBoxed(Stack* stack) const;
  void callBoxed(Stack& stack) const { callBoxed(&stack); }
  void redispatchBoxed(DispatchKeySet ks, Stack* stack) const;
  // The kernel that was registered for `key` itself, an alias too; else the backend fallback of `key`. The table is not asked.
  void callBoxedForDispatchKey(DispatchKey key, Stack& stack) const;

  friend bool operator==(const OperatorHandle& a, const OperatorHandle& b) { return a.entry_ == b.entry_; }

 protected:
  impl::OperatorEntry* entry_;
};

template <class R, class... A>
class TypedOperatorHandle<R(A...)> final : public OperatorHandle {
 public:
  // [anchor: call]
  [[gnu::always_inline, gnu::artificial]] inline R call(A... args) const {
    const SelectedKernel<R(A...)> selected = select(args...);
    if (selected.plain) return selected.plain(std::forward<A>(args)...);
    return selected.run(std::forward<A>(args)...);
  }

  // For kernels: on to the highest key of `ks`, which is what the kernel received less what it serves.
  [[gnu::always_inline, gnu::artificial]] inline R redispatch(DispatchKeySet ks, A... args) const {
    const SelectedKernel<R(A...)> selected = select_redispatch(ks);
    if (selected.plain) return selected.plain(std::forward<A>(args)...);
    return selected.run(std::forward<A>(args)...);
  }

  // [anchor: select]
  // What a call with these arguments runs.
  [[gnu::always_inline, gnu::artificial]] inline SelectedKernel<R(A...)> select(const A&... args) const {
    impl::OperatorEntry* const entry = entry_;
    const impl::OperatorEntry::Selection found = entry->select_unboxed(args...);
    return {entry, found.keys, found.backend, found.kernel, trace::CallKind::kCall};
  }
  // What a redispatch with this key set runs.
  [[gnu::always_inline, gnu::artificial]] inline SelectedKernel<R(A...)> select_redispatch(DispatchKeySet ks) const {
    impl::OperatorEntry* const entry = entry_;
    const uint64_t backend = ks.getBackendIndex();
    return {entry, ks, backend, entry->lookup(ks, backend), trace::CallKind::kRedispatch};
  }

 private:
  friend class OperatorHandle;
  friend class SelectedKernel<R(A...)>;
  explicit TypedOperatorHandle(impl::OperatorEntry* entry) : OperatorHandle(entry) {}
};

// A kernel that was found for a call, and is called next.
template <class R, class... A>
class SelectedKernel<R(A...)> {
 public:
  [[gnu::always_inline, gnu::artificial]] inline SelectedKernel(impl::OperatorEntry* entry, DispatchKeySet ks, uint64_t backend,
                                                                const impl::RegisteredKernel& registered,
                                                                trace::CallKind kind)
      : registered_(&registered),
        entry_(entry),
        keys_(ks.raw_repr()),
        backend_(backend),
        kind_(kind),
        traced_(trace::is_enabled()) {
    plain = traced_ ? nullptr : registered_->kernel.template plain<R, A...>();
  }

  R (*plain)(A...);  // the kernel, where it takes just the arguments. Null: run() it

  [[gnu::always_inline, gnu::artificial]] inline R run(A... args) const {
    if (!traced_) [[likely]] {
      const KernelFunction& kernel = registered_->kernel;
      if (const auto keyed = kernel.template keyed<R, A...>()) return keyed(keys(), std::forward<A>(args)...);
      if (kernel.isOnlyWhenRecording() && !detail::may_record(args...)) {  // the fallback at Autograd: on to the next key
        const KernelFunction& next = entry_->lookup(keys() & after_autograd_keyset, backend_).kernel;
        if (const auto next_plain = next.template plain<R, A...>()) return next_plain(std::forward<A>(args)...);
      }
    }
    return run_other(registered_, entry_, keys(), kind_, std::forward<A>(args)...);
  }

 private:
  // Traced, boxed, or an object; and the fallthrough that no call should find. What was selected goes there part by part:
  // reached through `this` it would have to lie in memory, and every call would pay ten instructions to put it there.
  [[gnu::noinline]] static R run_other(const impl::RegisteredKernel* registered, impl::OperatorEntry* entry,
                                       DispatchKeySet keys, trace::CallKind kind, A... args) {
    if (!trace::is_enabled()) return run_untraced(*registered, entry, keys, kind, std::forward<A>(args)...);
    const std::array<DispatchKeySet, sizeof...(A)> argument_keys{impl::OperatorEntry::keys_of(args)...};
    trace::Hop hop(kind, *entry, *registered, keys, argument_keys.data(), argument_keys.size());
    try {
      return run_untraced(*registered, entry, keys, kind, std::forward<A>(args)...);
    } catch (...) {
      hop.note_exception();
      throw;
    }
  }
  static R run_untraced(const impl::RegisteredKernel& registered, impl::OperatorEntry* entry, DispatchKeySet keys,
                        trace::CallKind kind, A... args) {
    const KernelFunction& kernel = registered.kernel;
    const TypedOperatorHandle<R(A...)> op(entry);
    if (kernel.isOnlyWhenRecording() && !detail::would_record(args...)) {
      return op.redispatch(keys & after_autograd_keyset, std::forward<A>(args)...);
    }
    // A registration came between mask and slot. (The Undefined slot has no mask: a fallthrough there is an error.)
    if (kernel.isFallthrough() && kind == trace::CallKind::kCall && keys.highestFunctionalityKey() != DispatchKey::Undefined) {
      return op.call(std::forward<A>(args)...);
    }
    return kernel.template call<R, A...>(op, keys, std::forward<A>(args)...);
  }

  [[gnu::always_inline, gnu::artificial]] inline DispatchKeySet keys() const { return {DispatchKeySet::RAW, keys_}; }

  const impl::RegisteredKernel* registered_;
  impl::OperatorEntry* entry_;
  uint64_t keys_;  // a DispatchKeySet as its word: an object that is passed on would be given a place in memory
  uint64_t backend_;
  trace::CallKind kind_;
  bool traced_;
};

// `return op.call(args...)`, with the kernel called from the caller's own frame: the ends of the public functions of ops/ are
// written with it. The arguments are evaluated more than once, so they are names.
#define GB_RETURN_CALL(op, ...)                                    \
  do {                                                             \
    static const auto& gb_op = (op); /* x_op() is a call */        \
    const auto gb_selected = gb_op.select(__VA_ARGS__);            \
    if (gb_selected.plain) return gb_selected.plain(__VA_ARGS__);  \
    return gb_selected.run(__VA_ARGS__);                           \
  } while (false)
// The same for `return op.redispatch(ks, args...)`, in a kernel.
#define GB_RETURN_REDISPATCH(op, ks, ...)                          \
  do {                                                             \
    const auto gb_selected = (op).select_redispatch(ks);           \
    if (gb_selected.plain) return gb_selected.plain(__VA_ARGS__);  \
    return gb_selected.run(__VA_ARGS__);                           \
  } while (false)

}  // namespace gb
