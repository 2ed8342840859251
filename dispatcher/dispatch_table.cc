// How a dispatch table follows from what is registered: PyTorch's precedence, one rule per `if`.
#include <fmt/format.h>

#include <mutex>

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
const RegisteredKernel& ambiguous_kernel() {
  static const RegisteredKernel& k = builtin(KernelFunction::makeAmbiguousAutogradOther(), "two kernels could serve this key");
  return k;
}
const RegisteredKernel& removed_kernel() {
  static const RegisteredKernel& k = builtin(KernelFunction::makeRemovedOperator(), "the operator was removed");
  return k;
}

size_t index_of(DispatchKey k) { return static_cast<size_t>(getDispatchTableIndexForDispatchKey(k)); }

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
    case SlotReason::kAmbiguousAutogradOther: return "ambiguous AutogradOther";
  }
  return "unknown";
}

const RegisteredKernel* OperatorEntry::newest(DispatchKey k) const {
  const auto found = kernels_.find(k);
  return found == kernels_.end() ? nullptr : found->second.front();
}

bool OperatorEntry::has_kernel_among(DispatchKeySet ks) const {
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
  //    AutogradOther serves many backends: where one of them has a kernel, neither answer is right for all.
  const auto* composite_implicit = newest(DispatchKey::CompositeImplicitAutograd);
  if (composite_implicit && (no_tensors || isIncludedInAlias(k, DispatchKey::CompositeImplicitAutograd))) {
    const bool backend_has_kernel = has_kernel_among(getBackendKeySetFromAutograd(k));
    if (k == DispatchKey::AutogradOther && backend_has_kernel) return &ambiguous_kernel();
    if (!backend_has_kernel && !composite_explicit) return composite_implicit;
  }
  // 4. The Autograd alias.
  if (isIncludedInAlias(k, DispatchKey::Autograd)) {
    if (const auto* autograd = newest(DispatchKey::Autograd)) return autograd;
  }
  // 5. What the backend does with every operator.
  if (const auto* fallback = fallbacks[index_of(k)]) return fallback;
  return &missing_kernel();
}

OperatorEntry::Slots OperatorEntry::compute_slots(const FallbackTable& fallbacks) const {
  Slots slots;
  for_each_runtime_key([&](DispatchKey k) { slots[index_of(k)] = compute_slot(k, fallbacks); });
  return slots;
}

// A functionality is masked out where its slot is a fallthrough; per backend, because slots are.
OperatorEntry::Masks OperatorEntry::masks_of(const Slots& slots) {
  Masks masks;
  masks.fill(DispatchKeySet(DispatchKeySet::FULL).raw_repr());
  for_each_runtime_key([&](DispatchKey k) {
    if (!slots[index_of(k)]->kernel.isFallthrough()) return;
    const uint64_t bit = DispatchKeySet(toFunctionalityKey(k)).raw_repr();
    const BackendComponent backend = toBackendComponent(k);
    for (uint8_t b = 0; b < num_backends; ++b) {
      if (backend == BackendComponent::InvalidBit || static_cast<uint8_t>(backend) == b + 1) masks[b] &= ~bit;
    }
  });
  return masks;
}

void OperatorEntry::refresh(const FallbackTable& fallbacks) {
  if (removed()) return;
  // Masks that grow are stored after the slots, masks that shrink before them, so that a call which reads its mask first
  // and then its slot finds a fallthrough as seldom as can be. (Where it does, it starts again.)
  const Slots slots = compute_slots(fallbacks);
  const Masks masks = masks_of(slots);
  for (uint8_t b = 0; b < num_backends; ++b) masks_[b].store(masks_[b] & masks[b], std::memory_order_release);
  for (size_t i = 0; i < slots.size(); ++i) slots_[i].store(slots[i], std::memory_order_release);
  for (uint8_t b = 0; b < num_backends; ++b) masks_[b].store(masks[b], std::memory_order_release);
}

void OperatorEntry::checkInvariants(const FallbackTable& fallbacks) const {
  const std::lock_guard lock(registry_);
  const std::string name = toString(name_);
  GB_INTERNAL_ASSERT(!hasSchema() || schema().operator_name() == name_, name + ": the schema is of another operator");
  for (const auto& [key, kernels] : kernels_) {
    GB_INTERNAL_ASSERT(!kernels.empty(), fmt::format("{}: an empty list of kernels for {}", name, gb::toString(key)));
  }
  const Slots slots = compute_slots(fallbacks);
  for_each_runtime_key([&](DispatchKey k) {
    GB_INTERNAL_ASSERT(&slot(k) == slots[index_of(k)],
                       fmt::format("{}: the slot of {} is not what the registered kernels make it", name, gb::toString(k)));
  });
  const Masks masks = masks_of(slots);
  for (uint8_t b = 0; b < num_backends; ++b) {
    GB_INTERNAL_ASSERT(masks_[b] == masks[b], fmt::format("{}: the mask of {} does not follow from the slots", name,
                                                          gb::toString(static_cast<BackendComponent>(b + 1))));
  }
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
  return *slots_[index_of(k)].load(std::memory_order_acquire);
}

SlotReason OperatorEntry::reason(DispatchKey k) const {
  const RegisteredKernel& kernel = slot(k);
  if (&kernel == &missing_kernel()) return SlotReason::kMissing;
  if (&kernel == &removed_kernel()) return SlotReason::kOperatorRemoved;
  if (&kernel == &ambiguous_kernel()) return SlotReason::kAmbiguousAutogradOther;
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

}  // namespace gb::impl
