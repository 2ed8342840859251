#include "dispatcher/operator_entry.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "dispatcher/list.h"

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

OperatorEntry::OperatorEntry(OperatorName name) : name_(std::move(name)) {
  refresh(FallbackTable{});  // never a null slot, not even before the first registration
}

const FunctionSchema& OperatorEntry::schema() const {
  GB_CHECK_OR_THROW(!removed(), Error, .what = fmt::format("{}: this operator was removed", toString(name_)),
                    .cause = "the Library that defined it is gone; the handle was looked up before that",
                    .repair = "keep the Library alive as long as its operators are called, or look the operator up again",
                    .chapter = chapters::kDispatch);
  const FunctionSchema* schema = schema_.load(std::memory_order_acquire);  // once: it may go meanwhile
  GB_CHECK_OR_THROW(schema, Error,
                    .what = fmt::format("{}: no schema was registered for this operator", toString(name_)),
                    .cause = "it has kernels (" + listKernels() + ") but no def",
                    .repair = "define it with GB_LIBRARY or GB_LIBRARY_FRAGMENT: m.def(\"...\")",
                    .chapter = chapters::kDispatch);
  return *schema;
}

DispatchKeySet OperatorEntry::keys_of(TensorList list) {
  DispatchKeySet ks;
  for (const Tensor& t : list) ks = ks | t.key_set();
  return ks;
}

DispatchKeySet OperatorEntry::keys_of(ArrayRef<std::optional<Tensor>> list) {
  DispatchKeySet ks;
  for (const std::optional<Tensor>& t : list) ks = ks | keys_of(t);
  return ks;
}

DispatchKeySet OperatorEntry::keys_of(const List<Tensor>& list) {
  DispatchKeySet ks;
  for (const Tensor& t : list) ks = ks | t.key_set();
  return ks;
}

DispatchKeySet OperatorEntry::keys_of(const List<std::optional<Tensor>>& list) {
  DispatchKeySet ks;
  for (const std::optional<Tensor>& t : list) ks = ks | keys_of(t);
  return ks;
}

DispatchKeySet OperatorEntry::keys_of_value(const IValue& v) {
  if (v.isTensor()) return v.toTensor().key_set();
  DispatchKeySet ks;
  if (v.isTensorList()) {
    for (const Tensor& t : v.toTensorVector()) ks = ks | t.key_set();
  } else if (v.isList()) {  // Tensor?[]
    for (const IValue& element : v.toListRef()) ks = ks | keys_of_value(element);
  }
  return ks;
}

DispatchKeySet OperatorEntry::keysetBoxed(const Stack& stack) const {
  const size_t n = schema().arguments().size();
  GB_CHECK_OR_THROW(stack.size() >= n, Error,
                    .what = fmt::format("{}: the stack holds too few arguments for a boxed call", toString(name_)),
                    .cause = fmt::format("{} on the stack, the schema has {}", stack.size(), n),
                    .repair = "push one value per argument of the schema, None for those left out",
                    .chapter = chapters::kDispatch);
  DispatchKeySet ks;
  for (size_t i = stack.size() - n; i < stack.size(); ++i) ks = ks | keys_of_value(stack[i]);
  return computeDispatchKeySet(ks);
}

std::optional<CppSignature> OperatorEntry::cpp_signature() const {
  for (const auto& [key, kernels] : kernels_) {
    for (const RegisteredKernel* kernel : kernels) {
      if (kernel->signature) return kernel->signature;
    }
  }
  return std::nullopt;
}

std::string OperatorEntry::dumpState() const {
  std::string text = fmt::format("name: {}\n", toString(name_));
  text += hasSchema() ? fmt::format("schema: {}\ndebug: {}\n", toString(schema()), schema_debug_) : "schema: none\n";
  for (const auto& [key, kernels] : kernels_) {
    for (const RegisteredKernel* kernel : kernels) {
      text += fmt::format("{}{}: {} [{}]\n", gb::toString(key), kernel == kernels.front() ? "" : " (inactive)",
                          kernel->debug, kernel->kernel.dumpState());
    }
  }
  return text;
}

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

void OperatorEntry::registerSchema(FunctionSchema schema, std::string debug, const FallbackTable& fallbacks) {
  GB_CHECK_OR_THROW(!hasSchema(), Error,
                    .what = fmt::format("{}: tried to register an operator with the same name twice", toString(name_)),
                    .cause = fmt::format("defined already, {}; again, {}", schema_debug_, debug),
                    .repair = "give one of them another overload name, or remove one def", .chapter = chapters::kDispatch);
  for (const auto& [key, kernels] : kernels_) {
    for (const RegisteredKernel* kernel : kernels) check_schema_against(schema, debug, *kernel);
  }
  auto owned = std::make_unique<const FunctionSchema>(std::move(schema));
  schema_debug_ = std::move(debug);
  schema_.store(owned.get(), std::memory_order_release);
  keep(std::move(owned));
  refresh(fallbacks);
}

void OperatorEntry::deregisterSchema() {
  schema_.store(nullptr, std::memory_order_release);
  schema_debug_.clear();
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
  const std::optional<CppSignature> expected = cpp_signature();
  GB_CHECK_OR_THROW(!expected || !kernel->signature || *expected == *kernel->signature, Error,
                    .what = fmt::format("{}: mismatch in kernel C++ signatures", toString(name_)),
                    .cause = fmt::format("registered kernels have {}\n           this one has {} ({})", expected->name(),
                                         kernel->signature->name(), kernel->debug),
                    .repair = "give all kernels of an operator the same C++ types (T and const T& differ)",
                    .chapter = chapters::kDispatch);
  if (hasSchema()) check_schema_against(schema(), schema_debug_, *kernel);
  if (const RegisteredKernel* previous = newest(kernel->key)) {
    const char* strict = std::getenv("GB_STRICT");
    const std::string both = fmt::format("previous kernel: {}\n           new kernel:      {}", previous->debug, kernel->debug);
    GB_CHECK_OR_THROW(!strict || std::string_view(strict) != "1", Error,
                      .what = fmt::format("{}: a second kernel for the key {}", toString(name_), gb::toString(kernel->key)),
                      .cause = both, .repair = "remove one of them, or unset GB_STRICT to let the newer one win",
                      .chapter = chapters::kDispatch);
    warning = fmt::format("{}: overriding the kernel for the key {}; the newer one wins\n           {}", toString(name_),
                          gb::toString(kernel->key), both);
  }
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
