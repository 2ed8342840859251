// Dispatcher: the one table of all operators, and the only place that registers.
//
// Calls do not come through here (they go through an OperatorHandle, without a lock); lookups and registrations do.
// Every registration checks everything before it changes anything, and returns a RegistrationHandleRAII that undoes
// exactly it. Never destroyed, so handles in static storage may die in any order.
// Names follow ATen/core/dispatch/Dispatcher.h.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "dispatcher/operator_handle.h"

namespace gb {

// Undoes one registration when it goes.
class RegistrationHandleRAII {
 public:
  explicit RegistrationHandleRAII(std::function<void()> undo) : undo_(std::move(undo)) {}
  RegistrationHandleRAII(RegistrationHandleRAII&& o) noexcept : undo_(std::exchange(o.undo_, nullptr)) {}
  RegistrationHandleRAII& operator=(RegistrationHandleRAII&& o) noexcept {
    std::swap(undo_, o.undo_);
    return *this;
  }
  ~RegistrationHandleRAII() {
    if (undo_) undo_();
  }

 private:
  std::function<void()> undo_;
};

class Dispatcher {
 public:
  static Dispatcher& singleton();

  // --- lookup
  std::optional<OperatorHandle> findSchema(const OperatorName& name) const;  // only with a schema
  std::optional<OperatorHandle> findOp(const OperatorName& name) const;      // also kernels without a def
  OperatorHandle findSchemaOrThrow(const char* name, const char* overload_name) const;
  std::vector<OperatorName> getAllOpNames() const;  // sorted

  // --- calls by handle, as ATen spells them
  template <class R, class... A>
  R call(const TypedOperatorHandle<R(A...)>& op, A... args) const { return op.call(std::forward<A>(args)...); }
  template <class R, class... A>
  R redispatch(const TypedOperatorHandle<R(A...)>& op, DispatchKeySet ks, A... args) const {
    return op.redispatch(ks, std::forward<A>(args)...);
  }
  void callBoxed(const OperatorHandle& op, Stack* stack) const { op.callBoxed(stack); }
  void redispatchBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const { op.redispatchBoxed(ks, stack); }
  void callBoxedForDispatchKey(const OperatorHandle& op, DispatchKey key, Stack* stack) const {
    op.callBoxedForDispatchKey(key, *stack);
  }

  // --- registration; `debug` says where, "registered at file:line"
  RegistrationHandleRAII registerLibrary(std::string ns, std::string debug);
  RegistrationHandleRAII registerDef(FunctionSchema schema, std::string debug);
  // No key: CompositeImplicitAutograd.
  RegistrationHandleRAII registerImpl(OperatorName name, std::optional<DispatchKey> key, KernelFunction kernel,
                                      std::optional<impl::CppSignature> signature,
                                      std::unique_ptr<FunctionSchema> inferred, std::string debug);
  RegistrationHandleRAII registerFallback(DispatchKey key, KernelFunction kernel, std::string debug);

  std::vector<OperatorHandle> findDanglingImpls() const;  // kernels whose operator has no schema
  bool hasBackendFallbackForDispatchKey(DispatchKey key) const;

 private:
  Dispatcher() = default;
  impl::OperatorEntry& find_or_make(const OperatorName& name);
  void forget_if_unused(impl::OperatorEntry& entry);

  mutable std::shared_mutex mutex_;
  std::unordered_map<OperatorName, std::unique_ptr<impl::OperatorEntry>> operators_;
  std::vector<std::unique_ptr<impl::OperatorEntry>> removed_;  // kept, so that old handles give an error
  std::unordered_map<std::string, std::string> libraries_;     // namespace -> where it was defined
  impl::FallbackTable fallbacks_{};
};

}  // namespace gb
