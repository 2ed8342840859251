// How what is registered changes: each function checks everything before it changes anything.
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "dispatcher/operator_entry.h"

namespace gb::impl {
namespace {

// A call on another thread may still look at what was taken off, so nothing that was in use is freed. The list keeps it
// reachable for leak checkers; its lock is the Dispatcher's, which every registration holds.
template <class T>
void keep(std::unique_ptr<const T> used) {
  static auto& kept = *new std::vector<std::unique_ptr<const T>>;
  kept.push_back(std::move(used));
}

}  // namespace

void keep_for_good(std::unique_ptr<const RegisteredKernel> kernel) { keep<RegisteredKernel>(std::move(kernel)); }

void OperatorEntry::check_schema_against(const FunctionSchema& schema, const std::string& schema_debug,
                                         const RegisteredKernel& kernel) const {
  if (!kernel.inferred_schema) return;
  const std::optional<std::string> difference = findSchemaDifferences(schema, *kernel.inferred_schema);
  GB_CHECK_OR_THROW(!difference, Error,
                    .what = fmt::format("{}: the schema and the C++ signature of a kernel differ", toString(name_)),
                    .cause = fmt::format("{}\n           schema:  {} ({})\n           kernel:  {} ({})", *difference,
                                         toString(schema), schema_debug, toString(*kernel.inferred_schema), kernel.debug),
                    .repair = "give the kernel the C++ types of the schema (Tensor: const Tensor&, int: int64_t, "
                              "float: double, int[]: IntArrayRef)",
                    .chapter = chapters::kDispatch);
}

void OperatorEntry::registerSchema(RegisteredSchema added, const FallbackTable& fallbacks) {
  GB_CHECK_OR_THROW(!hasSchema(), Error,
                    .what = fmt::format("{}: tried to register an operator with the same name twice", toString(name_)),
                    .cause = fmt::format("defined already, {}; again, {}", debug(), added.debug),
                    .repair = "give one of them another overload name, or remove one def", .chapter = chapters::kDispatch);
  for (const auto& [key, kernels] : kernels_) {
    for (const RegisteredKernel* kernel : kernels) check_schema_against(added.schema, added.debug, *kernel);
  }
  auto owned = std::make_unique<const RegisteredSchema>(std::move(added));
  schema_.store(owned.get(), std::memory_order_release);
  n_arguments_.store(owned->schema.arguments().size(), std::memory_order_release);
  keep(std::move(owned));
  refresh(fallbacks);
}

void OperatorEntry::deregisterSchema() {
  n_arguments_.store(kNoSchema, std::memory_order_release);
  schema_.store(nullptr, std::memory_order_release);
}

void OperatorEntry::check_signature_of(const RegisteredKernel& kernel) const {
  const std::optional<CppSignature> expected = cpp_signature();
  GB_CHECK_OR_THROW(!expected || !kernel.signature || *expected == *kernel.signature, Error,
                    .what = fmt::format("{}: mismatch in kernel C++ signatures", toString(name_)),
                    .cause = fmt::format("the registered kernels, or the typed handles that were given out, have {}\n"
                                         "           this one has {} ({})",
                                         expected->name(), kernel.signature->name(), kernel.debug),
                    .repair = "give all kernels of an operator the same C++ types (T and const T& differ)",
                    .chapter = chapters::kDispatch);
}

std::string OperatorEntry::warning_of_second(const RegisteredKernel& kernel) const {
  const RegisteredKernel* previous = newest(kernel.key);
  if (!previous) return "";
  const char* strict = std::getenv("GB_STRICT");
  const std::string both = fmt::format("previous kernel: {}\n           new kernel:      {}", previous->debug, kernel.debug);
  GB_CHECK_OR_THROW(!strict || std::string_view(strict) != "1", Error,
                    .what = fmt::format("{}: a second kernel for the key {}", toString(name_), gb::toString(kernel.key)),
                    .cause = both, .repair = "remove one of them, or unset GB_STRICT to let the newer one win",
                    .chapter = chapters::kDispatch);
  return fmt::format("{}: overriding the kernel for the key {}; the newer one wins\n           {}", toString(name_),
                     gb::toString(kernel.key), both);
}

const RegisteredKernel* OperatorEntry::registerKernel(std::unique_ptr<RegisteredKernel> kernel,
                                                      const FallbackTable& fallbacks, std::string& warning) {
  const DispatchKey key = kernel->key;
  GB_CHECK_OR_THROW(!isPerBackendFunctionalityKey(key) && toFunctionalityKey(key) != DispatchKey::EndOfFunctionalityKeys,
                    ValueError, .what = fmt::format("{}: no slot belongs to the key {}", toString(name_), gb::toString(key)),
                    .cause = fmt::format("it names a functionality without a backend, and a kernel ({}) is for one slot or "
                                         "for an alias", kernel->debug),
                    .repair = "name the backend (CPU, AutogradCPU, AutocastCPU, ...) or an alias (Autograd, "
                              "CompositeExplicitAutograd)",
                    .chapter = chapters::kDispatch);
  check_signature_of(*kernel);
  if (hasSchema()) check_schema_against(schema(), debug(), *kernel);
  warning = warning_of_second(*kernel);
  const RegisteredKernel* registered = kernel.get();
  keep<RegisteredKernel>(std::move(kernel));
  kernels_[registered->key].push_front(registered);
  refresh(fallbacks);
  return registered;
}

void OperatorEntry::deregisterKernel(const RegisteredKernel* kernel, const FallbackTable& fallbacks) {
  const auto found = kernels_.find(kernel->key);
  GB_INTERNAL_ASSERT(found != kernels_.end(), "a kernel is taken off that is not there");
  found->second.remove(kernel);
  if (found->second.empty()) kernels_.erase(found);
  refresh(fallbacks);
}

}  // namespace gb::impl
