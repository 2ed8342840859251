#include "core/version_counter.h"

#include "core/autograd_state.h"
#include "core/error.h"

namespace gb {
namespace {

// The value after one more write. (The version wraps within its 32 bits.)
uint64_t written(uint64_t value, uint32_t writer) {
  return uint64_t{writer} << 32 | static_cast<uint32_t>(value + 1);
}

}  // namespace

bool VariableVersion::unique() const {
  const uint64_t word = word_.load(std::memory_order_acquire);
  return !is_pointer(word) || Shared::reclaim_copy(to_counter(word)).use_count() <= 2;  // the copy is one of them
}

void VariableVersion::throw_not_counted() {
  GB_THROW(Error, .what = "Inference tensors do not track version counter",
           .cause = "the tensor was made in inference mode", .repair = "clone it outside of inference mode",
           .chapter = chapters::kAutograd);
}

uint32_t VariableVersion::last_writer() const {
  return enabled() ? static_cast<uint32_t>(value() >> 32) : kUnknownWriter;
}

void VariableVersion::bump(uint32_t writer) {
  uint64_t word = word_.load(std::memory_order_acquire);
  // Fails, and is tried again, where another thread writes too, or shares the counter at this moment.
  while (word & 1) {
    const uint64_t next = written(word >> 1, writer) << 1 | 1;
    if (word_.compare_exchange_weak(word, next, std::memory_order_acq_rel, std::memory_order_acquire)) return;
  }
  GB_CHECK_OR_THROW(word != 0 || detail::autograd_tls.inference_mode, Error,
                    .what = "Inplace update to inference tensor outside InferenceMode is not allowed",
                    .cause = "the tensor was made in inference mode, and has no version that could tell of the write",
                    .repair = "clone it outside of inference mode, and write to the clone", .chapter = chapters::kAutograd);
  if (word == 0) return;
  std::atomic<uint64_t>& shared = to_counter(word)->value;
  uint64_t value = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(value, written(value, writer), std::memory_order_relaxed)) {
  }
}

VariableVersion::Counter* VariableVersion::make_counter(uint64_t word) const {
  while (word & 1) {
    Shared made = make_intrusive<Counter>(word >> 1);
    const auto pointer = reinterpret_cast<uint64_t>(made.get());
    if (word_.compare_exchange_strong(word, pointer, std::memory_order_acq_rel, std::memory_order_acquire)) {
      return made.release();
    }
  }
  return to_counter(word);  // another thread was faster
}

}  // namespace gb
