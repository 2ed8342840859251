// VariableVersion: how often a tensor's data was written in place, and who wrote last.
//
// A view and its base share one counter, and so does a detached tensor: whoever saved a tensor for backward compares
// the number then with the number now. A tensor made in inference mode has none.
//
// Most tensors are never shared, so a counter is made only when somebody asks for a share of it; until then the number
// lies in the word that would point to it:
//
//   word_ == 0                       disabled: an inference tensor's
//   writer << 33 | version << 1 | 1  nobody else's; the writer is a number of core/writers.h
//   otherwise                        a Counter*, shared with every copy made of this VariableVersion
//
// Invariant: a word that points to a counter goes on pointing to it. All members may run at once in several threads,
// but for assignment. Names follow c10/core/TensorImpl.h, where every tensor brings a counter of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "core/intrusive_ptr.h"
#include "core/recycled.h"
#include "core/writers.h"

namespace gb {

class VariableVersion {
 public:
  VariableVersion() : word_(0) {}  // disabled
  explicit VariableVersion(uint32_t version) : word_(2 * uint64_t{version} + 1) {}
  VariableVersion(const VariableVersion& other) : word_(other.share()) {}
  VariableVersion(VariableVersion&& other) noexcept : word_(other.word_.exchange(0, std::memory_order_relaxed)) {}
  VariableVersion& operator=(VariableVersion other) noexcept {
    other.word_ = word_.exchange(other.word_, std::memory_order_acq_rel);
    return *this;
  }
  ~VariableVersion() {
    const uint64_t word = word_.load(std::memory_order_relaxed);
    if (is_pointer(word)) Shared::reclaim(to_counter(word));
  }

  bool enabled() const { return word_.load(std::memory_order_relaxed) != 0; }
  bool unique() const;
  uint32_t current_version() const {  // throws for an inference tensor
    if (!enabled()) [[unlikely]] throw_not_counted();
    return static_cast<uint32_t>(value());
  }
  uint32_t last_writer() const;      // kUnknownWriter for an inference tensor, too
  // One write more. Throws for an inference tensor outside of inference mode; inside, nothing is counted.
  void bump(uint32_t writer = kUnknownWriter);

 private:
  struct Counter final : intrusive_ptr_target, Recycled<Counter> {
    explicit Counter(uint64_t v) : value(v) {}
    std::atomic<uint64_t> value;  // writer << 32 | version: what the word holds above its lowest bit
  };
  using Shared = intrusive_ptr<Counter>;

  static bool is_pointer(uint64_t word) { return word != 0 && !(word & 1); }
  static Counter* to_counter(uint64_t word) { return reinterpret_cast<Counter*>(word); }

  // The word of a copy: makes the counter where there is none yet, and counts one owner more.
  uint64_t share() const {
    const uint64_t word = word_.load(std::memory_order_acquire);
    if (word == 0) return 0;
    Counter* counter = is_pointer(word) ? to_counter(word) : make_counter(word);
    return reinterpret_cast<uint64_t>(Shared::reclaim_copy(counter).release());
  }
  Counter* make_counter(uint64_t word) const;
  uint64_t value() const {  // writer << 32 | version; not of a disabled one
    const uint64_t word = word_.load(std::memory_order_acquire);
    return is_pointer(word) ? to_counter(word)->value.load(std::memory_order_relaxed) : word >> 1;
  }

  [[noreturn, gnu::cold]] static void throw_not_counted();

  mutable std::atomic<uint64_t> word_;
};

}  // namespace gb
