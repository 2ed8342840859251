#include "dispatcher/operator_entry.h"

#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/list.h"

namespace gb::impl {

OperatorEntry::OperatorEntry(OperatorName name, std::recursive_mutex& registry) : name_(std::move(name)), registry_(registry) {
  refresh(FallbackTable{});  // never a null slot, not even before the first registration
}

const RegisteredSchema& OperatorEntry::registered_schema() const {
  GB_CHECK_OR_THROW(!removed(), Error, .what = fmt::format("{}: this operator was removed", toString(name_)),
                    .cause = "the Library that defined it is gone; the handle was looked up before that",
                    .repair = "keep the Library alive as long as its operators are called, or look the operator up again",
                    .chapter = chapters::kDispatch);
  const RegisteredSchema* schema = schema_.load(std::memory_order_acquire);  // once: it may go meanwhile
  GB_CHECK_OR_THROW(schema, Error,
                    .what = fmt::format("{}: no schema was registered for this operator", toString(name_)),
                    .cause = "it has kernels (" + listKernels() + ") but no def",
                    .repair = "define it with GB_LIBRARY or GB_LIBRARY_FRAGMENT: m.def(\"...\")",
                    .chapter = chapters::kDispatch);
  return *schema;
}

DispatchKeySet OperatorEntry::keys_of_list(const IValue& list) {
  DispatchKeySet ks;
  for (const IValue& element : list.toListRef()) ks = ks | keys_of_value(element);
  return ks;
}

void OperatorEntry::throw_cannot_call_boxed(const Stack& stack) const {
  const size_t n = schema().arguments().size();  // throws where there is none
  GB_THROW(Error, .what = fmt::format("{}: the stack holds too few arguments for a boxed call", toString(name_)),
           .cause = fmt::format("{} on the stack, the schema has {}", stack.size(), n),
           .repair = "push one value per argument of the schema, None for those left out", .chapter = chapters::kDispatch);
}

std::optional<CppSignature> OperatorEntry::cpp_signature() const {
  const std::lock_guard lock(registry_);
  for (const auto& [key, kernels] : kernels_) {
    for (const RegisteredKernel* kernel : kernels) {
      if (kernel->signature) return kernel->signature;
    }
  }
  return typed_signature_;
}

void OperatorEntry::check_typed(const CppSignature& asked, const FunctionSchema& inferred) {
  const std::lock_guard lock(registry_);
  const std::optional<CppSignature> registered = cpp_signature();
  const std::string schema = hasSchema() ? "\n           schema:     " + toString(this->schema()) : "";
  GB_CHECK_OR_THROW(!registered || *registered == asked, Error,
                    .what = fmt::format("{}: tried to access the operator with a wrong signature", toString(name_)),
                    .cause = fmt::format("asked for:  {}\n           registered: {}{}", asked.name(), registered->name(), schema),
                    .repair = "ask for the registered C++ types exactly (T and const T& differ)",
                    .chapter = chapters::kDispatch);
  // Boxed kernels only, or none yet: there is still the schema to compare with.
  const auto difference = !registered && hasSchema() ? findSchemaDifferences(this->schema(), inferred) : std::nullopt;
  GB_CHECK_OR_THROW(!difference, Error,
                    .what = fmt::format("{}: tried to access the operator with a wrong signature", toString(name_)),
                    .cause = fmt::format("{}\n           asked for:  {}{}", *difference, asked.name(), schema),
                    .repair = "ask for the C++ types of the schema (Tensor: const Tensor&, int: int64_t, float: double)",
                    .chapter = chapters::kDispatch);
  typed_signature_ = asked;
}

std::string OperatorEntry::dumpState() const {
  const std::lock_guard lock(registry_);
  std::string text = fmt::format("name: {}\n", toString(name_));
  text += hasSchema() ? fmt::format("schema: {}\ndebug: {}\n", toString(schema()), debug()) : "schema: none\n";
  for (const auto& [key, kernels] : kernels_) {
    for (const RegisteredKernel* kernel : kernels) {
      text += fmt::format("{}{}: {} [{}]\n", gb::toString(key), kernel == kernels.front() ? "" : " (inactive)",
                          kernel->debug, kernel->kernel.dumpState());
    }
  }
  return text;
}

bool OperatorEntry::hasKernelForDispatchKey(DispatchKey k) const {
  const std::lock_guard lock(registry_);
  return kernels_.count(k) != 0;
}

bool OperatorEntry::hasKernelForAnyDispatchKey(DispatchKeySet ks) const {
  const std::lock_guard lock(registry_);
  return has_kernel_among(ks);
}

bool OperatorEntry::hasAnyKernel() const {
  const std::lock_guard lock(registry_);
  return !kernels_.empty();
}

const RegisteredKernel* OperatorEntry::registered(DispatchKey k) const {
  const std::lock_guard lock(registry_);
  return newest(k);
}

std::string OperatorEntry::listKernels() const {
  const std::lock_guard lock(registry_);
  std::string text;
  for (const auto& [key, kernels] : kernels_) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} ({})", gb::toString(key), kernels.front()->debug);
  }
  return text.empty() ? "no key at all" : text;
}

}  // namespace gb::impl
