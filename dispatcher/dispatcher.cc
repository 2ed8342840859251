#include "dispatcher/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/warning.h"

namespace gb {

using Lock = std::unique_lock<std::recursive_mutex>;

Dispatcher& Dispatcher::singleton() {
  static Dispatcher& instance = *new Dispatcher;
  return instance;
}

std::optional<OperatorHandle> Dispatcher::findOp(const OperatorName& name) const {
  impl::OperatorEntry* entry = operators_.find(name.name, name.overload_name);
  return entry ? std::optional(OperatorHandle(entry)) : std::nullopt;
}

std::optional<OperatorHandle> Dispatcher::findSchema(const OperatorName& name) const {
  const auto op = findOp(name);
  return op && op->hasSchema() ? op : std::nullopt;
}

OperatorHandle Dispatcher::findSchemaOrThrow(const char* name, const char* overload_name) const {
  const std::string_view overload = *overload_name ? std::string_view(overload_name) : std::string_view();
  impl::OperatorEntry* entry = operators_.find(name, overload);
  if (entry && entry->hasSchema()) [[likely]] return OperatorHandle(entry);
  throw_no_schema(name, overload_name);
}

[[gnu::cold]] void Dispatcher::throw_no_schema(const char* name, const char* overload_name) const {
  const OperatorName wanted{name, overload_name};
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

namespace {
std::vector<OperatorName> sorted(std::vector<OperatorName> names) {
  std::sort(names.begin(), names.end(),
            [](const OperatorName& a, const OperatorName& b) { return toString(a) < toString(b); });
  return names;
}
}  // namespace

std::vector<OperatorName> Dispatcher::getAllOpNames() const {
  std::vector<OperatorName> names;
  operators_.for_each([&](const impl::OperatorEntry& entry) { names.push_back(entry.operator_name()); });
  return sorted(std::move(names));
}

std::vector<OperatorName> Dispatcher::getRegistrationsForDispatchKey(std::optional<DispatchKey> key) const {
  std::vector<OperatorName> names;
  operators_.for_each([&](const impl::OperatorEntry& entry) {
    if (key ? entry.hasKernelForDispatchKey(*key) : entry.hasAnyKernel()) names.push_back(entry.operator_name());
  });
  return sorted(std::move(names));
}

std::vector<OperatorHandle> Dispatcher::findDanglingImpls() const {
  std::vector<OperatorHandle> dangling;
  operators_.for_each([&](impl::OperatorEntry& entry) {
    if (!entry.hasSchema()) dangling.emplace_back(&entry);
  });
  return dangling;
}

bool Dispatcher::hasBackendFallbackForDispatchKey(DispatchKey key) const {
  const Lock lock(mutex_);
  return fallbacks_[static_cast<size_t>(getDispatchTableIndexForDispatchKey(key))] != nullptr;
}

void Dispatcher::checkInvariants() const {
  const Lock lock(mutex_);
  operators_.for_each([&](const impl::OperatorEntry& entry) { entry.checkInvariants(fallbacks_); });
}

void OperatorHandle::checkInvariants() const {
  const Dispatcher& dispatcher = Dispatcher::singleton();
  const Lock lock(dispatcher.mutex_);
  if (!entry_->removed()) entry_->checkInvariants(dispatcher.fallbacks_);
}

const impl::RegisteredKernel& Dispatcher::registered_for(const impl::OperatorEntry& entry, DispatchKey key) const {
  const Lock lock(mutex_);
  if (const impl::RegisteredKernel* own = entry.newest(key)) return *own;
  const impl::RegisteredKernel* fallback =
      isAliasDispatchKey(key) ? nullptr : fallbacks_[static_cast<size_t>(getDispatchTableIndexForDispatchKey(key))];
  GB_CHECK_OR_THROW(fallback, NotImplementedError,
                    .what = fmt::format("callBoxedForDispatchKey: {} has no kernel for the dispatch key {} itself",
                                        toString(entry.operator_name()), toString(key)),
                    .cause = fmt::format("kernels exist for {}; the key has no backend fallback", entry.listKernels()),
                    .repair = "name one of these keys, or callBoxed, which looks the key up in the table",
                    .chapter = chapters::kDispatch);
  return *fallback;
}

impl::OperatorEntry& Dispatcher::find_or_make(const OperatorName& name) {
  if (impl::OperatorEntry* entry = operators_.find(name.name, name.overload_name)) return *entry;
  impl::OperatorEntry& entry = *entries_.emplace_back(std::make_unique<impl::OperatorEntry>(name, mutex_));
  entry.refresh(fallbacks_);
  operators_.insert(&entry);
  return entry;
}

void Dispatcher::forget_if_unused(impl::OperatorEntry& entry) {
  if (entry.def_and_impl_count == 0) entry.mark_removed();
}

RegistrationHandleRAII Dispatcher::registerLibrary(std::string ns, std::string debug) {
  Lock lock(mutex_);
  const auto found = libraries_.find(ns);
  GB_CHECK_OR_THROW(found == libraries_.end(), Error,
                    .what = fmt::format("only a single GB_LIBRARY can be used for the namespace {}", ns),
                    .cause = fmt::format("the first: {}; the second: {}", found->second, debug),
                    .repair = "put all defs into one block, or use GB_LIBRARY_FRAGMENT for the others",
                    .chapter = chapters::kDispatch);
  libraries_.emplace(ns, std::move(debug));
  return RegistrationHandleRAII([this, ns = std::move(ns)] {
    const Lock undo_lock(mutex_);
    libraries_.erase(ns);
  });
}

void Dispatcher::tell_listeners(const OperatorHandle& op) {
  for (size_t i = 0; i < listeners_.size(); ++i) {
    try {
      listeners_[i]->onOperatorRegistered(op);
    } catch (...) {
      while (i-- > 0) listeners_[i]->onOperatorDeregistered(op);
      throw;
    }
  }
}

void Dispatcher::deregister_def(impl::OperatorEntry& entry) {
  entry.deregisterSchema();
  --entry.def_and_impl_count;
  forget_if_unused(entry);
}

RegistrationHandleRAII Dispatcher::registerDef(FunctionSchema schema, std::string debug, std::vector<Tag> tags) {
  const Lock lock(mutex_);
  const OperatorName name = schema.operator_name();
  impl::OperatorEntry& entry = find_or_make(name);
  try {
    entry.registerSchema({std::move(schema), std::move(debug), std::move(tags)}, fallbacks_);
  } catch (...) {
    forget_if_unused(entry);
    throw;
  }
  ++entry.def_and_impl_count;
  try {
    tell_listeners(OperatorHandle(&entry));
  } catch (...) {
    deregister_def(entry);
    throw;
  }
  return RegistrationHandleRAII([this, &entry] {
    const Lock undo_lock(mutex_);
    for (const auto& listener : listeners_) listener->onOperatorDeregistered(OperatorHandle(&entry));
    deregister_def(entry);
  });
}

RegistrationHandleRAII Dispatcher::registerName(OperatorName name) {
  const Lock lock(mutex_);
  impl::OperatorEntry& entry = find_or_make(name);
  ++entry.def_and_impl_count;
  return RegistrationHandleRAII([this, &entry] {
    const Lock undo_lock(mutex_);
    --entry.def_and_impl_count;
    forget_if_unused(entry);
  });
}

RegistrationHandleRAII Dispatcher::addRegistrationListener(std::unique_ptr<OpRegistrationListener> listener) {
  const Lock lock(mutex_);
  for (const OperatorName& name : getAllOpNames()) {
    if (const auto op = findSchema(name)) listener->onOperatorRegistered(*op);
  }
  OpRegistrationListener* added = listener.get();
  listeners_.push_back(std::move(listener));
  return RegistrationHandleRAII([this, added] {
    const Lock undo_lock(mutex_);
    std::erase_if(listeners_, [&](const auto& l) { return l.get() == added; });
  });
}

RegistrationHandleRAII Dispatcher::registerImpl(OperatorName name, std::optional<DispatchKey> key, KernelFunction kernel,
                                                std::optional<impl::CppSignature> signature,
                                                std::unique_ptr<FunctionSchema> inferred, std::string debug) {
  Lock lock(mutex_);
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
    const Lock undo_lock(mutex_);
    entry.deregisterKernel(kept, fallbacks_);
    --entry.def_and_impl_count;
    forget_if_unused(entry);
  });
  lock.unlock();
  if (!warning.empty()) GB_WARN(warning);  // unlocked: the handler may look operators up
  return handle;
}

RegistrationHandleRAII Dispatcher::registerFallback(DispatchKey key, KernelFunction kernel, std::string debug) {
  Lock lock(mutex_);
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
  owned->kernel = std::move(kernel);
  owned->key = key;
  owned->is_backend_fallback = true;
  owned->debug = std::move(debug);
  const impl::RegisteredKernel* fallback = owned.get();
  impl::keep_for_good(std::move(owned));
  const auto set_all = [this, slots](const impl::RegisteredKernel* value) {
    for (size_t slot : slots) fallbacks_[slot] = value;
    operators_.for_each([&](impl::OperatorEntry& entry) { entry.refresh(fallbacks_); });
  };
  set_all(fallback);
  return RegistrationHandleRAII([this, set_all] {
    const Lock undo_lock(mutex_);
    set_all(nullptr);
  });
}

}  // namespace gb
