// DispatchKeySet: one 64-bit word. Backend bits are low, functionality bits above them.
//
//   bit   0    1     2    3     4            5     6      7     8          9       10             ...
//         CPU  CUDA  XLA  Lazy  PrivateUse1  Meta  Dense  FPGA  Quantized  Sparse  BackendSelect  ...
//
// A runtime key is two bits: CPU = Dense | CPUBit. So {CPU, AutogradCUDA} equals {CUDA, AutogradCPU}: which backend
// went with which functionality is lost. PyTorch has the same loss; a test states it.
// `remove` and `-` take off functionality bits only, because a backend bit may serve several functionalities.
// `gb layout` draws the word and the row of the table that it picks from. Names follow c10/core/DispatchKeySet.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <string>

#include "core/dispatch_key.h"

namespace gb {

namespace detail {

struct OffsetAndMask {
  uint16_t offset;  // of the functionality's first slot
  uint16_t mask;    // all ones where it has a slot per backend; 0 where it has one slot
};

// The number of the highest bit that is set; 0 for bit 0 and for 0 itself. (The `^ 63` is what the processor's own
// instruction for this answers, so the compiler uses it; 63 - countl_zero costs two instructions more.)
constexpr uint64_t highest_bit(uint64_t bits) { return static_cast<uint64_t>(std::countl_zero(bits | 1) ^ 63); }

// Indexed by functionality key: slot = offset + (index of the highest backend bit & mask).
constexpr std::array<OffsetAndMask, num_functionality_keys> make_offsets_and_masks() {
  std::array<OffsetAndMask, num_functionality_keys> table{};
  uint16_t next = 0;
  for (uint16_t k = 0; k < num_functionality_keys; ++k) {
    const bool per_backend = isPerBackendFunctionalityKey(static_cast<DispatchKey>(k));
    table[k] = {next, static_cast<uint16_t>(per_backend ? 0xffff : 0)};
    next += per_backend ? num_backends : 1;
  }
  return table;
}
inline constexpr auto offsets_and_masks = make_offsets_and_masks();

}  // namespace detail

class DispatchKeySet {
 public:
  enum Full { FULL };
  enum FullAfter { FULL_AFTER };
  enum Raw { RAW };

  constexpr DispatchKeySet() = default;
  constexpr DispatchKeySet(Full) : repr_((uint64_t{1} << (num_backends + num_functionality_keys - 1)) - 1) {}
  // Everything below `k`: what a kernel at `k` may redispatch to.
  constexpr DispatchKeySet(FullAfter, DispatchKey k)
      : repr_((uint64_t{1} << (num_backends + static_cast<uint8_t>(toFunctionalityKey(k)) - 1)) - 1) {}
  constexpr DispatchKeySet(Raw, uint64_t repr) : repr_(repr) {}
  constexpr explicit DispatchKeySet(DispatchKey k) : repr_(bits(k)) {}
  constexpr explicit DispatchKeySet(BackendComponent b)
      : repr_(b == BackendComponent::InvalidBit ? 0 : uint64_t{1} << (static_cast<uint8_t>(b) - 1)) {}
  constexpr explicit DispatchKeySet(std::initializer_list<DispatchKey> keys) {
    for (DispatchKey k : keys) repr_ |= bits(k);
  }
  constexpr explicit DispatchKeySet(std::initializer_list<BackendComponent> backends) {
    for (BackendComponent b : backends) repr_ |= DispatchKeySet(b).repr_;
  }

  constexpr bool has(DispatchKey k) const { return has_all(DispatchKeySet(k)); }
  constexpr bool has_backend(BackendComponent b) const { return has_all(DispatchKeySet(b)); }
  constexpr bool has_all(DispatchKeySet ks) const { return (repr_ & ks.repr_) == ks.repr_; }
  constexpr bool has_any(DispatchKeySet ks) const { return (repr_ & ks.repr_) != 0; }
  constexpr bool isSupersetOf(DispatchKeySet ks) const { return has_all(ks); }
  constexpr bool empty() const { return repr_ == 0; }
  constexpr uint64_t raw_repr() const { return repr_; }

  constexpr DispatchKeySet operator|(DispatchKeySet o) const { return {RAW, repr_ | o.repr_}; }
  constexpr DispatchKeySet operator&(DispatchKeySet o) const { return {RAW, repr_ & o.repr_}; }
  constexpr DispatchKeySet operator^(DispatchKeySet o) const { return {RAW, repr_ ^ o.repr_}; }
  constexpr DispatchKeySet operator-(DispatchKeySet o) const { return {RAW, repr_ & (kBackendMask | ~o.repr_)}; }
  constexpr bool operator==(const DispatchKeySet&) const = default;

  [[nodiscard]] constexpr DispatchKeySet add(DispatchKey k) const { return *this | DispatchKeySet(k); }
  [[nodiscard]] constexpr DispatchKeySet add(DispatchKeySet ks) const { return *this | ks; }
  [[nodiscard]] constexpr DispatchKeySet remove(DispatchKey k) const { return *this - DispatchKeySet(k); }
  [[nodiscard]] constexpr DispatchKeySet remove_backend(BackendComponent b) const {
    return {RAW, repr_ & ~DispatchKeySet(b).repr_};
  }

  constexpr DispatchKey highestFunctionalityKey() const {
    return static_cast<DispatchKey>(highest_functionality());
  }
  constexpr BackendComponent highestBackendKey() const {
    return static_cast<BackendComponent>(64 - std::countl_zero(repr_ & kBackendMask));
  }
  // The runtime key that is served first; Undefined for a set without functionality.
  constexpr DispatchKey highestPriorityTypeId() const {
    const DispatchKey functionality = highestFunctionalityKey();
    if (!isPerBackendFunctionalityKey(functionality)) return functionality;
    return toRuntimePerBackendFunctionalityKey(functionality, highestBackendKey());
  }

  // [anchor: slot]
  // The slot of highestPriorityTypeId(). Two searches for the highest bit and one table read: the heart of every call.
  constexpr int getDispatchTableIndexForDispatchKeySet() const {
    return static_cast<int>(getDispatchTableIndex(getBackendIndex()));
  }
  // For who has the backend's index already.
  constexpr uint64_t getDispatchTableIndex(uint64_t backend_index) const {
    const detail::OffsetAndMask& entry = detail::offsets_and_masks[highest_functionality()];
    return entry.offset + (backend_index & entry.mask);
  }
  // Which of the per-backend fallthrough masks applies: the index of the highest backend bit.
  constexpr uint64_t getBackendIndex() const { return detail::highest_bit(repr_ & kBackendMask); }

  // Visits the runtime keys of the set, lowest first, backend by backend within a functionality; *end() is
  // EndOfFunctionalityKeys.
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = DispatchKey;
    using difference_type = std::ptrdiff_t;
    using pointer = value_type*;
    using reference = value_type&;
    // Starts at bit `functionality` of the word (num_backends is the lowest functionality); past the end is an error.
    explicit constexpr iterator(const uint64_t* repr, uint8_t functionality = num_backends, uint8_t backend = 0)
        : repr_(repr), bit_(functionality), backend_(backend) {
      if (bit_ > kEndBit) throw_past_the_end(functionality);
      settle();
    }
    constexpr DispatchKey operator*() const {
      if (bit_ == kEndBit) return DispatchKey::EndOfFunctionalityKeys;
      return toRuntimePerBackendFunctionalityKey(functionality(), static_cast<BackendComponent>(backend_));
    }
    constexpr iterator& operator++() {
      // On within a functionality while there are backends, else to the next functionality.
      if (backend_ == 0) ++bit_;
      else ++backend_;
      settle();
      return *this;
    }
    constexpr iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    constexpr bool operator==(const iterator& o) const { return bit_ == o.bit_ && backend_ == o.backend_; }

   private:
    friend class DispatchKeySet;
    static constexpr uint8_t kEndBit = num_backends + num_functionality_keys;
    [[noreturn]] static void throw_past_the_end(uint8_t functionality);
    constexpr DispatchKey functionality() const { return static_cast<DispatchKey>(bit_ - num_backends + 1); }
    // Moves on to the next place that is in the set and owns a slot.
    constexpr void settle() {
      for (; bit_ < kEndBit; ++bit_, backend_ = 0) {
        if (!(*repr_ >> bit_ & 1)) continue;
        if (!isPerBackendFunctionalityKey(functionality())) return;
        for (backend_ = backend_ == 0 ? 1 : backend_; backend_ <= num_backends; ++backend_) {
          if (*repr_ >> (backend_ - 1) & 1) return;
        }
      }
      backend_ = 0;
    }
    const uint64_t* repr_;
    uint8_t bit_, backend_;  // backend_ is 0 at a functionality without backends
  };
  constexpr iterator begin() const { return iterator(&repr_); }
  constexpr iterator end() const { return iterator(&repr_, iterator::kEndBit); }

 private:
  // Functionality k is bit num_backends + k - 1; 0, Undefined, where there is none. Shifted by one less, bit k; what
  // comes down to bit 0 with it (a backend) counts for nothing.
  constexpr uint64_t highest_functionality() const { return detail::highest_bit(repr_ >> (num_backends - 1)); }

  static constexpr uint64_t kBackendMask = (uint64_t{1} << num_backends) - 1;

  static constexpr uint64_t bits(DispatchKey k) {
    const DispatchKey functionality = toFunctionalityKey(k);
    if (functionality == DispatchKey::Undefined) return 0;  // Undefined and alias keys own no bit
    return uint64_t{1} << (num_backends + static_cast<uint8_t>(functionality) - 1) |
           DispatchKeySet(toBackendComponent(k)).repr_;
  }
  uint64_t repr_ = 0;
};

// The slot of a runtime key.
constexpr int getDispatchTableIndexForDispatchKey(DispatchKey k) {
  return DispatchKeySet(k).getDispatchTableIndexForDispatchKeySet();
}

// All backend bits, which name no functionality by themselves.
inline constexpr DispatchKeySet full_backend_keyset(DispatchKeySet::RAW, (uint64_t{1} << num_backends) - 1);

inline constexpr DispatchKeySet autograd_dispatch_keyset({DispatchKey::AutogradFunctionality,
                                                          DispatchKey::AutogradOther});
inline constexpr DispatchKeySet autocast_dispatch_keyset(DispatchKey::AutocastFunctionality);
inline constexpr DispatchKeySet autograd_dispatch_keyset_with_ADInplaceOrView =
    autograd_dispatch_keyset | DispatchKeySet(DispatchKey::ADInplaceOrView);
// Backends that have no autograd slot of their own, or share one: their gradients are AutogradOther's business.
inline constexpr DispatchKeySet autogradother_backends =
    DispatchKeySet({DispatchKey::FPGA, DispatchKey::Quantized, DispatchKey::Sparse}) | full_backend_keyset;
// What CompositeExplicitAutograd stands for: every backend, in every of its layouts.
inline constexpr DispatchKeySet backend_dispatch_keyset = autogradother_backends | DispatchKeySet(DispatchKey::Dense);
// What CompositeImplicitAutograd stands for.
inline constexpr DispatchKeySet math_dispatch_keyset = backend_dispatch_keyset | autograd_dispatch_keyset;

// What every thread starts with.
inline constexpr DispatchKeySet default_included_set({DispatchKey::BackendSelect, DispatchKey::ADInplaceOrView});
inline constexpr DispatchKeySet default_excluded_set(DispatchKey::AutocastFunctionality);
// What is left for a kernel at Autograd (at ADInplaceOrView) to redispatch to.
inline constexpr DispatchKeySet after_autograd_keyset(DispatchKeySet::FULL_AFTER, DispatchKey::AutogradOther);
inline constexpr DispatchKeySet after_ADInplaceOrView_keyset(DispatchKeySet::FULL_AFTER, DispatchKey::ADInplaceOrView);

// The runtime keys that an alias stands for; a runtime key stands for itself.
DispatchKeySet getRuntimeDispatchKeySet(DispatchKey k);
// getRuntimeDispatchKeySet(alias).has(k), for one k.
bool runtimeDispatchKeySetHas(DispatchKey alias, DispatchKey k);
// Does a kernel registered at alias key `alias` count for runtime key `k`?
bool isIncludedInAlias(DispatchKey k, DispatchKey alias);
// AutogradCUDA -> {CUDA}; AutogradOther -> autogradother_backends; every other key -> {}.
DispatchKeySet getBackendKeySetFromAutograd(DispatchKey k);

// The highest key that is a backend: what an operator call would reach with everything above it taken off.
constexpr DispatchKey highestPriorityBackendTypeId(DispatchKeySet ks) {
  return (ks & backend_dispatch_keyset).highestPriorityTypeId();
}
// The highest key once autograd, ADInplaceOrView, autocast, Functionalize and the mode key are taken off.
constexpr DispatchKey legacyExtractDispatchKey(DispatchKeySet ks) {
  return (ks - autograd_dispatch_keyset_with_ADInplaceOrView - autocast_dispatch_keyset -
          DispatchKeySet({DispatchKey::Functionalize, DispatchKey::Python}))
      .highestPriorityTypeId();
}

std::string toString(DispatchKeySet ks);  // "{CPU, ADInplaceOrView, AutogradCPU}"
std::ostream& operator<<(std::ostream& out, DispatchKey k);
std::ostream& operator<<(std::ostream& out, BackendComponent b);
std::ostream& operator<<(std::ostream& out, DispatchKeySet ks);

}  // namespace gb
