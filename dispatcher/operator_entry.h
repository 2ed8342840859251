// OperatorEntry: everything the dispatcher knows of one operator; in front of it, the dispatch table.
//
// Data layout: slots_[i] points to the kernel that serves dispatch key i; masks_[backend] has a 0 for every functionality
// whose slot is a fallthrough there. A call reads one mask and one slot and nothing else, without a lock: a slot is an atomic
// pointer to an immutable RegisteredKernel, and retired kernels and schemas are kept for the life of the program.
// Threads: a call beside a registration sees the table before or after it. The one mixture that could be seen (a mask from before,
// a slot that has become a fallthrough) is noticed where the fallthrough would be run, and the call starts again.
// The table is a function of what is registered (kernels_, the backend fallbacks): it is computed anew after every
// registration and has no state of its own, so any order of registrations ends in the same table. Registration goes
// through Dispatcher, which holds the registry's lock; the questions below take it. Names follow ATen/core/dispatch/OperatorEntry.h.
#pragma once

#include <array>
#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "dispatcher/function_schema.h"
#include "dispatcher/kernel_function.h"
#include "dispatcher/local_dispatch_key_set.h"
#include "dispatcher/operator_name.h"
#include "dispatcher/tag.h"
#include "dispatcher/tensors_in.h"

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

// A schema together with where it came from. Immutable.
struct RegisteredSchema {
  FunctionSchema schema;
  std::string debug;
  std::vector<Tag> tags;
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
  kAmbiguousAutogradOther,  // rule 3 for AutogradOther, where one of its backends has a kernel too
};
const char* toString(SlotReason reason);  // "kernel for this key", "backend fallback", ...

// Which kernels serve operators that have none of their own; one per slot. Null where there is none.
using FallbackTable = std::array<const RegisteredKernel*, num_runtime_entries>;

class OperatorEntry {
 public:
  // `registry` is the Dispatcher's lock, held by every registration.
  OperatorEntry(OperatorName name, std::recursive_mutex& registry);
  OperatorEntry(const OperatorEntry&) = delete;

  // --- the hot path
  struct Selection {
    DispatchKeySet keys;
    uint64_t backend;                // their highest backend's index
    const RegisteredKernel& kernel;  // in the slot of the highest of them
  };
  template <class... A>
  [[gnu::always_inline, gnu::artificial]] inline Selection select_unboxed(const A&... args) const {
    uint64_t bits = 0;
    ((bits |= keys_of(args).raw_repr()), ...);
    return select(DispatchKeySet(DispatchKeySet::RAW, bits));
  }
  [[gnu::always_inline, gnu::artificial]] inline Selection select(DispatchKeySet arguments) const {
    const DispatchKeySet ks = with_tls(arguments);
    // A mask takes no backend bit off, so the highest one serves both the mask and the slot.
    const uint64_t backend = ks.getBackendIndex();
    const DispatchKeySet masked = ks & mask_of(backend);
    return {masked, backend, lookup(masked, backend)};
  }
  // ((keys of the arguments | TLS include) - TLS exclude) & mask
  [[gnu::always_inline, gnu::artificial]] inline DispatchKeySet computeDispatchKeySet(DispatchKeySet arguments) const {
    const DispatchKeySet ks = with_tls(arguments);
    return ks & mask_for(ks);
  }
  [[gnu::always_inline, gnu::artificial]] static inline DispatchKeySet with_tls(DispatchKeySet arguments) {
    const LocalDispatchKeySet& tls = tls_local_dispatch_key_set_;
    return (arguments | tls.included_) - tls.excluded_;
  }
  [[gnu::always_inline, gnu::artificial]] inline DispatchKeySet mask_for(DispatchKeySet ks) const {
    return mask_of(ks.getBackendIndex());
  }
  [[gnu::always_inline, gnu::artificial]] inline DispatchKeySet mask_of(uint64_t backend_index) const {
    return DispatchKeySet(DispatchKeySet::RAW, masks_[backend_index].load(std::memory_order_acquire));
  }
  [[gnu::always_inline, gnu::artificial]] inline const RegisteredKernel& lookup(DispatchKeySet ks) const {
    return lookup(ks, ks.getBackendIndex());
  }
  [[gnu::always_inline, gnu::artificial]] inline const RegisteredKernel& lookup(DispatchKeySet ks, uint64_t backend) const {
    return *slots_[ks.getDispatchTableIndex(backend)].load(std::memory_order_acquire);
  }

  // The key set of one argument; empty for everything that is not a tensor or a list of tensors.
  template <class T>
  [[gnu::always_inline, gnu::artificial]] inline static DispatchKeySet keys_of(const T& argument) {
    uint64_t bits = 0;
    detail::for_each_tensor(argument, [&](const Tensor& t) { bits |= t.key_set().raw_repr(); });
    return DispatchKeySet(DispatchKeySet::RAW, bits);
  }
  static DispatchKeySet keys_of_value(const IValue& v) {  // boxed
    if (v.isTensor()) [[likely]] return v.unsafeToTensorImpl()->key_set();
    return v.isList() ? keys_of_list(v) : DispatchKeySet();
  }
  // The keys of a boxed call's arguments: the last arguments().size() values of the stack.
  DispatchKeySet argument_keys(const Stack& stack) const {
    const size_t n = n_arguments_.load(std::memory_order_acquire);
    if (stack.size() < n) [[unlikely]] throw_cannot_call_boxed(stack);
    uint64_t bits = 0;
    const IValue* const end = stack.data() + stack.size();
    for (const IValue* v = end - n; v != end; ++v) bits |= keys_of_value(*v).raw_repr();
    return {DispatchKeySet::RAW, bits};
  }

  // --- questions
  const OperatorName& operator_name() const { return name_; }
  bool hasSchema() const { return schema_.load(std::memory_order_acquire) != nullptr; }
  const FunctionSchema& schema() const { return registered_schema().schema; }  // throws where there are only kernels
  const std::string& debug() const { return registered_schema().debug; }
  const std::vector<Tag>& getTags() const { return registered_schema().tags; }
  bool removed() const { return removed_.load(std::memory_order_acquire); }
  bool hasKernelForDispatchKey(DispatchKey k) const;
  bool hasKernelForAnyDispatchKey(DispatchKeySet ks) const;
  bool hasAnyKernel() const;
  const RegisteredKernel* registered(DispatchKey k) const;  // the newest for this very key; null where there is none
  const RegisteredKernel& slot(DispatchKey runtime_key) const;  // throws for an alias key, which has none
  SlotReason reason(DispatchKey runtime_key) const;
  std::optional<CppSignature> cpp_signature() const;  // of the first kernel that has one, or that a typed handle asked for
  std::string dumpState() const;          // what is registered
  std::string dumpComputedTable() const;  // what follows from it: one line per slot
  std::string listKernels() const;        // "CPU (ops/mm/cpu.cc:9), Meta (...)", fallbacks not among them
  // Throws unless handles of this C++ type may be made. From then on kernels of another type are refused, as the handle would
  // call them through the wrong pointer. `inferred` is the schema of that type.
  void check_typed(const CppSignature& asked, const FunctionSchema& inferred);

  // --- registration, with the registry's lock held. Each checks everything before it changes anything.
  void registerSchema(RegisteredSchema schema, const FallbackTable& fallbacks);
  void deregisterSchema();
  // A second kernel for one key: `warning` says so, for the caller to give once the lock is released.
  const RegisteredKernel* registerKernel(std::unique_ptr<RegisteredKernel> kernel, const FallbackTable& fallbacks,
                                         std::string& warning);
  void deregisterKernel(const RegisteredKernel* kernel, const FallbackTable& fallbacks);
  void refresh(const FallbackTable& fallbacks);  // computes table and masks
  void mark_removed();
  const RegisteredKernel* newest(DispatchKey k) const;  // registered for `k` itself; null where none is
  void checkInvariants(const FallbackTable& fallbacks) const;  // throws where the table is not what refresh would make it

 private:
  using Masks = std::array<uint64_t, num_backends>;
  static constexpr size_t kNoSchema = SIZE_MAX;

  static DispatchKeySet keys_of_list(const IValue& list);  // Tensor[] and Tensor?[]
  [[noreturn]] void throw_cannot_call_boxed(const Stack& stack) const;
  const RegisteredSchema& registered_schema() const;
  bool has_kernel_among(DispatchKeySet ks) const;
  const RegisteredKernel* compute_slot(DispatchKey k, const FallbackTable& fallbacks) const;
  using Slots = std::array<const RegisteredKernel*, num_runtime_entries>;
  Slots compute_slots(const FallbackTable& fallbacks) const;
  static Masks masks_of(const Slots& slots);
  void check_schema_against(const FunctionSchema& schema, const std::string& schema_debug,
                            const RegisteredKernel& kernel) const;
  void check_signature_of(const RegisteredKernel& kernel) const;
  std::string warning_of_second(const RegisteredKernel& kernel) const;  // throws under GB_STRICT=1

  // Read by every call.
  std::array<std::atomic<const RegisteredKernel*>, num_runtime_entries> slots_;
  std::array<std::atomic<uint64_t>, num_backends> masks_;

 public:
  size_t def_and_impl_count = 0;  // kept by Dispatcher: at 0 the operator goes

 private:
  std::atomic<bool> removed_ = false;
  OperatorName name_;
  std::atomic<const RegisteredSchema*> schema_ = nullptr;
  std::atomic<size_t> n_arguments_ = kNoSchema;  // of the schema; for boxed calls
  std::recursive_mutex& registry_;
  // Per key the newest first: when it goes, the one before it is back.
  std::map<DispatchKey, std::list<const RegisteredKernel*>> kernels_;
  std::optional<CppSignature> typed_signature_;  // of the handles that were given out
};

}  // namespace gb::impl
