#include "dispatcher/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/warning.h"

namespace gb {

using ReadLock = std::shared_lock<std::shared_mutex>;
using WriteLock = std::unique_lock<std::shared_mutex>;

Dispatcher& Dispatcher::singleton() {
  static Dispatcher& instance = *new Dispatcher;
  return instance;
}

std::optional<OperatorHandle> Dispatcher::findOp(const OperatorName& name) const {
  ReadLock lock(mutex_);
  const auto found = operators_.find(name);
  if (found == operators_.end()) return std::nullopt;
  return OperatorHandle(found->second.get());
}

std::optional<OperatorHandle> Dispatcher::findSchema(const OperatorName& name) const {
  const auto op = findOp(name);
  return op && op->hasSchema() ? op : std::nullopt;
}

OperatorHandle Dispatcher::findSchemaOrThrow(const char* name, const char* overload_name) const {
  const OperatorName wanted{name, overload_name};
  if (const auto op = findSchema(wanted)) return *op;
  const auto impl_only = findOp(wanted);
  std::string overloads;  // of the same operator
  for (const OperatorName& other : getAllOpNames()) {
    if (other.name == wanted.name) overloads += (overloads.empty() ? "" : ", ") + toString(other);
  }
  GB_THROW(Error, .what = fmt::format("Could not find schema for {}", toString(wanted)),
           .cause = impl_only             ? "kernels are registered, but no def: " + impl_only->entry().listKernels()
                    : overloads.empty() ? "no operator of this name is registered in this program"
                                        : "this operator has other overloads: " + overloads,
           .repair = impl_only ? "define it: m.def(\"...\") in a GB_LIBRARY block"
                               : "check the spelling (`bazel run //tools:gb -- ops` lists all), and that the library which "
                                 "registers it is linked whole (alwayslink)",
           .chapter = chapters::kDispatch);
}

std::vector<OperatorName> Dispatcher::getAllOpNames() const {
  ReadLock lock(mutex_);
  std::vector<OperatorName> names;
  for (const auto& [name, entry] : operators_) names.push_back(name);
  std::sort(names.begin(), names.end(),
            [](const OperatorName& a, const OperatorName& b) { return toString(a) < toString(b); });
  return names;
}

std::vector<OperatorHandle> Dispatcher::findDanglingImpls() const {
  ReadLock lock(mutex_);
  std::vector<OperatorHandle> dangling;
  for (const auto& [name, entry] : operators_) {
    if (!entry->hasSchema()) dangling.emplace_back(entry.get());
  }
  return dangling;
}

bool Dispatcher::hasBackendFallbackForDispatchKey(DispatchKey key) const {
  ReadLock lock(mutex_);
  return fallbacks_[static_cast<size_t>(getDispatchTableIndexForDispatchKey(key))] != nullptr;
}

impl::OperatorEntry& Dispatcher::find_or_make(const OperatorName& name) {
  auto& entry = operators_[name];
  if (!entry) {
    entry = std::make_unique<impl::OperatorEntry>(name);
    entry->refresh(fallbacks_);
  }
  return *entry;
}

void Dispatcher::forget_if_unused(impl::OperatorEntry& entry) {
  if (entry.def_and_impl_count != 0) return;
  entry.mark_removed();
  const auto found = operators_.find(entry.operator_name());
  removed_.push_back(std::move(found->second));
  operators_.erase(found);
}

RegistrationHandleRAII Dispatcher::registerLibrary(std::string ns, std::string debug) {
  WriteLock lock(mutex_);
  const auto found = libraries_.find(ns);
  GB_CHECK_OR_THROW(found == libraries_.end(), Error,
                    .what = fmt::format("only a single GB_LIBRARY can be used for the namespace {}", ns),
                    .cause = fmt::format("the first: {}; the second: {}", found->second, debug),
                    .repair = "put all defs into one block, or use GB_LIBRARY_FRAGMENT for the others",
                    .chapter = chapters::kDispatch);
  libraries_.emplace(ns, std::move(debug));
  return RegistrationHandleRAII([this, ns = std::move(ns)] {
    WriteLock undo_lock(mutex_);
    libraries_.erase(ns);
  });
}

RegistrationHandleRAII Dispatcher::registerDef(FunctionSchema schema, std::string debug) {
  WriteLock lock(mutex_);
  const OperatorName name = schema.operator_name();
  impl::OperatorEntry& entry = find_or_make(name);
  try {
    entry.registerSchema(std::move(schema), std::move(debug), fallbacks_);
  } catch (...) {
    forget_if_unused(entry);
    throw;
  }
  ++entry.def_count;
  ++entry.def_and_impl_count;
  return RegistrationHandleRAII([this, &entry] {
    WriteLock undo_lock(mutex_);
    entry.deregisterSchema();
    --entry.def_count;
    --entry.def_and_impl_count;
    forget_if_unused(entry);
  });
}

RegistrationHandleRAII Dispatcher::registerImpl(OperatorName name, std::optional<DispatchKey> key, KernelFunction kernel,
                                                std::optional<impl::CppSignature> signature,
                                                std::unique_ptr<FunctionSchema> inferred, std::string debug) {
  WriteLock lock(mutex_);
  impl::OperatorEntry& entry = find_or_make(name);
  auto registered = std::make_unique<impl::RegisteredKernel>();
  registered->kernel = std::move(kernel);
  registered->key = key.value_or(DispatchKey::CompositeImplicitAutograd);
  registered->debug = std::move(debug);
  registered->signature = std::move(signature);
  registered->inferred_schema = std::move(inferred);
  const impl::RegisteredKernel* kept;
  std::string warning;
  try {
    kept = entry.registerKernel(std::move(registered), fallbacks_, warning);
  } catch (...) {
    forget_if_unused(entry);
    throw;
  }
  ++entry.def_and_impl_count;
  RegistrationHandleRAII handle([this, &entry, kept] {
    WriteLock undo_lock(mutex_);
    entry.deregisterKernel(kept, fallbacks_);
    --entry.def_and_impl_count;
    forget_if_unused(entry);
  });
  lock.unlock();
  if (!warning.empty()) GB_WARN(warning);  // unlocked: the handler may look operators up
  return handle;
}

RegistrationHandleRAII Dispatcher::registerFallback(DispatchKey key, KernelFunction kernel, std::string debug) {
  WriteLock lock(mutex_);
  // A functionality without a backend stands for all of its slots.
  std::vector<size_t> slots;
  const bool every_backend = isPerBackendFunctionalityKey(key);
  for (DispatchKey k : every_backend ? getRuntimeDispatchKeySet(key) | DispatchKeySet(DispatchKeySet::RAW, (1u << num_backends) - 1)
                                     : getRuntimeDispatchKeySet(key)) {
    slots.push_back(static_cast<size_t>(getDispatchTableIndexForDispatchKey(k)));
  }
  for (size_t slot : slots) {
    GB_CHECK_OR_THROW(!fallbacks_[slot], Error,
                      .what = fmt::format("tried to register multiple backend fallbacks for the dispatch key {}", toString(key)),
                      .cause = fmt::format("the first: {}; the second: {}", fallbacks_[slot]->debug, debug),
                      .repair = "remove one of them", .chapter = chapters::kDispatch);
  }
  auto owned = std::make_unique<impl::RegisteredKernel>();
  impl::RegisteredKernel* fallback = owned.get();
  impl::keep_for_good(std::move(owned));
  fallback->kernel = std::move(kernel);
  fallback->key = key;
  fallback->is_backend_fallback = true;
  fallback->debug = std::move(debug);
  const auto set_all = [this, slots](const impl::RegisteredKernel* value) {
    for (size_t slot : slots) fallbacks_[slot] = value;
    for (auto& [name, entry] : operators_) entry->refresh(fallbacks_);
  };
  set_all(fallback);
  return RegistrationHandleRAII([this, set_all] {
    WriteLock undo_lock(mutex_);
    set_all(nullptr);
  });
}

}  // namespace gb
