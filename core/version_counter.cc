#include "core/version_counter.h"

#include "core/error.h"

namespace gb {

bool VariableVersion::unique() const {
  const uint64_t word = word_.load(std::memory_order_acquire);
  return !is_pointer(word) || Shared::reclaim_copy(to_counter(word)).use_count() <= 2;  // the copy is one of them
}

uint32_t VariableVersion::current_version() const {
  const uint64_t word = word_.load(std::memory_order_acquire);
  GB_CHECK_OR_THROW(word != 0, Error, .what = "Inference tensors do not track version counter",
                    .cause = "the tensor was made in inference mode", .repair = "clone it outside of inference mode",
                    .chapter = chapters::kAutograd);
  return is_pointer(word) ? to_counter(word)->value.load(std::memory_order_relaxed) : static_cast<uint32_t>(word >> 1);
}

void VariableVersion::bump() {
  uint64_t word = word_.load(std::memory_order_acquire);
  // Fails, and is tried again, where another thread writes too, or shares the counter at this moment.
  while (word & 1) {
    if (word_.compare_exchange_weak(word, word + 2, std::memory_order_acq_rel, std::memory_order_acquire)) return;
  }
  if (word != 0) to_counter(word)->value.fetch_add(1, std::memory_order_relaxed);
}

VariableVersion::Counter* VariableVersion::make_counter(uint64_t word) const {
  while (word & 1) {
    Shared made = make_intrusive<Counter>(static_cast<uint32_t>(word >> 1));
    const auto pointer = reinterpret_cast<uint64_t>(made.get());
    if (word_.compare_exchange_strong(word, pointer, std::memory_order_acq_rel, std::memory_order_acquire)) {
      return made.release();
    }
  }
  return to_counter(word);  // another thread was faster
}

}  // namespace gb
