// OperatorEntry: everything the dispatcher knows of one operator; in front of it, the dispatch table.
//
// Data layout: slots_[i] points to the kernel that serves dispatch key i; mask_ has a 0 for every functionality whose
// slot is a fallthrough. A call reads these two and nothing else, without a lock: a slot is an atomic pointer to an
// immutable RegisteredKernel, and retired kernels are kept for the life of the program.
// The table is a function of what is registered (kernels_, the backend fallbacks): it is computed anew after every
// registration and has no state of its own, so any order of registrations ends in the same table. Registration goes
// through Dispatcher, which holds the lock. Names follow ATen/core/dispatch/OperatorEntry.h.
#pragma once

#include <array>
#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/tensor.h"
#include "dispatcher/function_schema.h"
#include "dispatcher/kernel_function.h"
#include "dispatcher/local_dispatch_key_set.h"
#include "dispatcher/operator_name.h"

namespace gb::impl {

// A kernel together with where it came from. Immutable.
struct RegisteredKernel {
  KernelFunction kernel;
  DispatchKey key = DispatchKey::Undefined;  // what it was registered for: a runtime key or an alias
  bool is_backend_fallback = false;
  std::string debug;  // "registered at ops/addmm/cpu.cc:41"
  std::optional<CppSignature> signature;
  std::shared_ptr<const FunctionSchema> inferred_schema;
};

// Owns a kernel for the life of the program, so that a call on another thread may use it after it was taken off.
void keep_for_good(std::unique_ptr<const RegisteredKernel> kernel);

// Why a slot holds the kernel it holds, in the order of precedence.
enum class SlotReason : uint8_t {
  kDirectKernel,
  kCompositeExplicit,
  kCompositeImplicit,
  kAutogradAlias,
  kBackendFallback,
  kMissing,
  kOperatorRemoved,
};
const char* toString(SlotReason reason);  // "kernel for this key", "backend fallback", ...

// Which kernels serve operators that have none of their own; one per slot. Null where there is none.
using FallbackTable = std::array<const RegisteredKernel*, num_runtime_entries>;

class OperatorEntry {
 public:
  explicit OperatorEntry(OperatorName name);
  OperatorEntry(const OperatorEntry&) = delete;

  // --- the hot path
  template <class... A>
  [[gnu::always_inline, gnu::artificial]] inline DispatchKeySet keysetUnboxed(const A&... args) const {
    uint64_t bits = 0;
    ((bits |= keys_of(args).raw_repr()), ...);
    return computeDispatchKeySet(DispatchKeySet(DispatchKeySet::RAW, bits));
  }
  // ((keys of the arguments | TLS include) - TLS exclude) & mask
  [[gnu::always_inline, gnu::artificial]] inline DispatchKeySet computeDispatchKeySet(DispatchKeySet arguments) const {
    const LocalDispatchKeySet& tls = tls_local_dispatch_key_set_;
    const DispatchKeySet ks = (arguments | tls.included_) - tls.excluded_;
    return ks & mask_for(ks);
  }
  [[gnu::always_inline, gnu::artificial]] inline DispatchKeySet mask_for(DispatchKeySet ks) const {
    const int i = mask_differs_by_backend_.load(std::memory_order_relaxed) ? ks.getBackendIndex() : 0;
    return DispatchKeySet(DispatchKeySet::RAW, masks_[i].load(std::memory_order_relaxed));
  }
  [[gnu::always_inline, gnu::artificial]] inline const RegisteredKernel& lookup(DispatchKeySet ks) const {
    return *slots_[ks.getDispatchTableIndexForDispatchKeySet()].load(std::memory_order_acquire);
  }

  // The key set of one argument; empty for everything that is not a tensor or a list of tensors.
  template <class T>
  [[gnu::always_inline, gnu::artificial]] inline static DispatchKeySet keys_of(const T&) { return {}; }
  [[gnu::always_inline, gnu::artificial]] inline static DispatchKeySet keys_of(const Tensor& t) { return t.key_set(); }
  static DispatchKeySet keys_of(const std::optional<Tensor>& t) { return t ? t->key_set() : DispatchKeySet(); }
  static DispatchKeySet keys_of(TensorList list);
  static DispatchKeySet keys_of(ArrayRef<std::optional<Tensor>> list);
  static DispatchKeySet keys_of(const List<Tensor>& list);
  static DispatchKeySet keys_of(const List<std::optional<Tensor>>& list);
  static DispatchKeySet keys_of(const std::vector<Tensor>& list) { return keys_of(TensorList(list)); }
  static DispatchKeySet keys_of_value(const IValue& v);  // boxed
  // keysetUnboxed for a stack, of which the last arguments().size() values are the arguments.
  DispatchKeySet keysetBoxed(const Stack& stack) const;

  // --- questions
  const OperatorName& operator_name() const { return name_; }
  bool hasSchema() const { return schema_.load(std::memory_order_acquire) != nullptr; }
  const FunctionSchema& schema() const;  // throws where there are only kernels
  const std::string& debug() const { return schema_debug_; }
  bool removed() const { return removed_.load(std::memory_order_acquire); }
  bool hasKernelForDispatchKey(DispatchKey k) const { return kernels_.count(k) != 0; }
  bool hasKernelForAnyDispatchKey(DispatchKeySet ks) const;
  const RegisteredKernel* newest(DispatchKey k) const;  // of those registered for this very key; null where there is none
  const RegisteredKernel& slot(DispatchKey runtime_key) const;  // throws for an alias key, which has none
  SlotReason reason(DispatchKey runtime_key) const;
  std::optional<CppSignature> cpp_signature() const;  // of the first kernel that has one
  std::string dumpState() const;          // what is registered
  std::string dumpComputedTable() const;  // what follows from it: one line per slot
  std::string listKernels() const;        // "CPU (ops/mm/cpu.cc:9), Meta (...)", fallbacks not among them

  // --- registration, with the Dispatcher's lock held. Each checks everything before it changes anything.
  void registerSchema(FunctionSchema schema, std::string debug, const FallbackTable& fallbacks);
  void deregisterSchema();
  // A second kernel for one key: `warning` says so, for the caller to give once the lock is released.
  const RegisteredKernel* registerKernel(std::unique_ptr<RegisteredKernel> kernel, const FallbackTable& fallbacks,
                                         std::string& warning);
  void deregisterKernel(const RegisteredKernel* kernel, const FallbackTable& fallbacks);
  void refresh(const FallbackTable& fallbacks);  // computes table and masks
  void mark_removed();

  size_t def_count = 0, def_and_impl_count = 0;  // kept by Dispatcher

 private:
  const RegisteredKernel* compute_slot(DispatchKey k, const FallbackTable& fallbacks) const;
  void check_schema_against(const FunctionSchema& schema, const std::string& schema_debug,
                            const RegisteredKernel& kernel) const;

  // Read by every call.
  std::array<std::atomic<const RegisteredKernel*>, num_runtime_entries> slots_;
  std::array<std::atomic<uint64_t>, num_backends> masks_;
  std::atomic<bool> mask_differs_by_backend_ = false;

  std::atomic<bool> removed_ = false;
  OperatorName name_;
  std::atomic<const FunctionSchema*> schema_ = nullptr;  // kept for the life of the program, as kernels are
  std::string schema_debug_;
  // Per key the newest first: when it goes, the one before it is back.
  std::map<DispatchKey, std::list<const RegisteredKernel*>> kernels_;
};

}  // namespace gb::impl
