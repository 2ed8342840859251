// How a dispatch table follows from what is registered: PyTorch's precedence, one rule per `if`.
#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/operator_entry.h"

namespace gb::impl {
namespace {

// What slots hold that no registration fills.
const RegisteredKernel& builtin(KernelFunction kernel, const char* debug) {
  auto* registered = new RegisteredKernel;
  registered->kernel = std::move(kernel);
  registered->debug = debug;
  return *registered;
}
const RegisteredKernel& missing_kernel() {
  static const RegisteredKernel& k = builtin(KernelFunction::makeMissing(), "nothing is registered");
  return k;
}
const RegisteredKernel& removed_kernel() {
  static const RegisteredKernel& k = builtin(KernelFunction::makeRemovedOperator(), "the operator was removed");
  return k;
}

// The slots of one functionality, or the one.
template <class F>
void for_each_runtime_key(F f) {
  for (uint8_t i = 0; i < num_functionality_keys; ++i) {
    const auto functionality = static_cast<DispatchKey>(i);
    if (!isPerBackendFunctionalityKey(functionality)) {
      f(functionality);
      continue;
    }
    for (uint8_t b = 1; b <= num_backends; ++b) {
      f(toRuntimePerBackendFunctionalityKey(functionality, static_cast<BackendComponent>(b)));
    }
  }
}

}  // namespace

const char* toString(SlotReason reason) {
  switch (reason) {
    case SlotReason::kDirectKernel: return "kernel for this key";
    case SlotReason::kCompositeExplicit: return "CompositeExplicitAutograd kernel";
    case SlotReason::kCompositeImplicit: return "CompositeImplicitAutograd kernel";
    case SlotReason::kAutogradAlias: return "Autograd alias kernel";
    case SlotReason::kBackendFallback: return "backend fallback";
    case SlotReason::kMissing: return "missing";
    case SlotReason::kOperatorRemoved: return "operator removed";
  }
  return "unknown";
}

const RegisteredKernel* OperatorEntry::newest(DispatchKey k) const {
  const auto found = kernels_.find(k);
  return found == kernels_.end() ? nullptr : found->second.front();
}

bool OperatorEntry::hasKernelForAnyDispatchKey(DispatchKeySet ks) const {
  for (const auto& [key, kernels] : kernels_) {
    if (!isAliasDispatchKey(key) && key != DispatchKey::Undefined && ks.has(key)) return true;
  }
  return false;
}

// [anchor: compute_slot]
const RegisteredKernel* OperatorEntry::compute_slot(DispatchKey k, const FallbackTable& fallbacks) const {
  // 1. A kernel registered for this very key.
  if (const auto* direct = newest(k)) return direct;
  // 2. CompositeExplicitAutograd serves every backend, and calls without tensors.
  const bool no_tensors = k == DispatchKey::Undefined;
  const auto* composite_explicit = newest(DispatchKey::CompositeExplicitAutograd);
  if (composite_explicit && (no_tensors || isIncludedInAlias(k, DispatchKey::CompositeExplicitAutograd))) {
    return composite_explicit;
  }
  // 3. CompositeImplicitAutograd serves backends and autograd alike - unless the autograd key's own backend has a kernel
  //    (CompositeExplicitAutograd is one for all of them): then the autograd slot must reach that one, not decompose.
  const auto* composite_implicit = newest(DispatchKey::CompositeImplicitAutograd);
  if (composite_implicit && (no_tensors || isIncludedInAlias(k, DispatchKey::CompositeImplicitAutograd))) {
    const bool is_autograd = toFunctionalityKey(k) == DispatchKey::AutogradFunctionality;
    const DispatchKey backend = toRuntimePerBackendFunctionalityKey(DispatchKey::Dense, toBackendComponent(k));
    const bool backend_has_kernel = composite_explicit || (is_autograd && newest(backend));
    if (!backend_has_kernel) return composite_implicit;
  }
  // 4. The Autograd alias.
  if (isIncludedInAlias(k, DispatchKey::Autograd)) {
    if (const auto* autograd = newest(DispatchKey::Autograd)) return autograd;
  }
  // 5. What the backend does with every operator.
  if (const auto* fallback = fallbacks[static_cast<size_t>(getDispatchTableIndexForDispatchKey(k))]) return fallback;
  return &missing_kernel();
}

void OperatorEntry::refresh(const FallbackTable& fallbacks) {
  if (removed()) return;
  // A functionality is masked out where its slot is a fallthrough; per backend, because slots are.
  std::array<uint64_t, num_backends> masks;
  masks.fill(DispatchKeySet(DispatchKeySet::FULL).raw_repr());
  for_each_runtime_key([&](DispatchKey k) {
    const RegisteredKernel* kernel = compute_slot(k, fallbacks);
    slots_[static_cast<size_t>(getDispatchTableIndexForDispatchKey(k))].store(kernel, std::memory_order_release);
    if (!kernel->kernel.isFallthrough()) return;
    const uint64_t bit = DispatchKeySet(toFunctionalityKey(k)).raw_repr();
    const BackendComponent backend = toBackendComponent(k);
    for (uint8_t b = 0; b < num_backends; ++b) {
      if (backend == BackendComponent::InvalidBit || static_cast<uint8_t>(backend) == b + 1) masks[b] &= ~bit;
    }
  });
  bool differs = false;
  for (uint8_t b = 0; b < num_backends; ++b) {
    masks_[b].store(masks[b], std::memory_order_relaxed);
    differs |= masks[b] != masks[0];
  }
  mask_differs_by_backend_.store(differs, std::memory_order_relaxed);
}

void OperatorEntry::mark_removed() {
  removed_.store(true, std::memory_order_release);
  for (auto& slot : slots_) slot.store(&removed_kernel(), std::memory_order_release);
}

const RegisteredKernel& OperatorEntry::slot(DispatchKey k) const {
  GB_CHECK_OR_THROW(!isAliasDispatchKey(k), ValueError,
                    .what = fmt::format("{}: the alias key {} has no slot", toString(name_), gb::toString(k)),
                    .cause = "an alias stands for several slots", .repair = "ask for one runtime key, such as CPU",
                    .chapter = chapters::kDispatch);
  return *slots_[static_cast<size_t>(getDispatchTableIndexForDispatchKey(k))].load(std::memory_order_acquire);
}

SlotReason OperatorEntry::reason(DispatchKey k) const {
  const RegisteredKernel& kernel = slot(k);
  if (&kernel == &missing_kernel()) return SlotReason::kMissing;
  if (&kernel == &removed_kernel()) return SlotReason::kOperatorRemoved;
  if (kernel.is_backend_fallback) return SlotReason::kBackendFallback;
  switch (kernel.key) {
    case DispatchKey::CompositeExplicitAutograd: return SlotReason::kCompositeExplicit;
    case DispatchKey::CompositeImplicitAutograd: return SlotReason::kCompositeImplicit;
    case DispatchKey::Autograd: return SlotReason::kAutogradAlias;
    default: return SlotReason::kDirectKernel;
  }
}

std::string OperatorEntry::dumpComputedTable() const {
  std::string text;
  for_each_runtime_key([&](DispatchKey k) {
    const RegisteredKernel& kernel = slot(k);
    if (reason(k) == SlotReason::kMissing) return;
    text += fmt::format("{:<21} {:<34} {:<11} {}\n", gb::toString(k), toString(reason(k)), kernel.kernel.dumpState(),
                        kernel.debug);
  });
  return text;
}

std::string OperatorEntry::listKernels() const {
  std::string text;
  for (const auto& [key, kernels] : kernels_) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} ({})", gb::toString(key), kernels.front()->debug);
  }
  return text.empty() ? "no key at all" : text;
}

}  // namespace gb::impl
