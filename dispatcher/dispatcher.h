// Dispatcher: the one table of all operators, and the only place that registers.
//
// Calls do not come through here (they go through an OperatorHandle); lookups and registrations do. Lookups by name take no lock.
// Every registration checks everything before it changes anything, and returns a RegistrationHandleRAII that undoes
// exactly it. Never destroyed, so handles in static storage may die in any order.
// Names follow ATen/core/dispatch/Dispatcher.h.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dispatcher/operator_index.h"
#include "dispatcher/registration.h"

namespace gb {

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
  RegistrationHandleRAII registerDef(FunctionSchema schema, std::string debug, std::vector<Tag> tags = {});
  RegistrationHandleRAII registerName(OperatorName name);  // keeps an operator without a def or a kernel
  // No key: CompositeImplicitAutograd.
  RegistrationHandleRAII registerImpl(OperatorName name, std::optional<DispatchKey> key, KernelFunction kernel,
                                      std::optional<impl::CppSignature> signature,
                                      std::unique_ptr<FunctionSchema> inferred, std::string debug);
  RegistrationHandleRAII registerFallback(DispatchKey key, KernelFunction kernel, std::string debug);

  RegistrationHandleRAII addRegistrationListener(std::unique_ptr<OpRegistrationListener> listener);

  // --- questions about all of it
  std::vector<OperatorHandle> findDanglingImpls() const;  // kernels whose operator has no schema
  bool hasBackendFallbackForDispatchKey(DispatchKey key) const;
  // The operators that have a kernel of their own at `key`; without a key all that have any.
  std::vector<OperatorName> getRegistrationsForDispatchKey(std::optional<DispatchKey> key) const;
  void checkInvariants() const;  // throws where a table is not what the registrations make it

 private:
  friend class OperatorHandle;
  Dispatcher() = default;
  [[noreturn]] void throw_no_schema(const char* name, const char* overload_name) const;
  impl::OperatorEntry& find_or_make(const OperatorName& name);
  void forget_if_unused(impl::OperatorEntry& entry);
  // For callBoxedForDispatchKey. Throws where there is neither a kernel nor a fallback.
  const impl::RegisteredKernel& registered_for(const impl::OperatorEntry& entry, DispatchKey key) const;
  void tell_listeners(const OperatorHandle& op);  // of a new def; where one throws, it is as if none had been told
  void deregister_def(impl::OperatorEntry& entry);

  // Held by everything but lookups and calls. Recursive: a listener, or a kernel's copy constructor, may ask again.
  mutable std::recursive_mutex mutex_;
  impl::OperatorIndex operators_;
  std::vector<std::unique_ptr<impl::OperatorEntry>> entries_;  // removed ones too, so that old handles give an error
  std::unordered_map<std::string, std::string> libraries_;     // namespace -> where it was defined
  impl::FallbackTable fallbacks_{};
  std::vector<std::unique_ptr<OpRegistrationListener>> listeners_;
};

}  // namespace gb
