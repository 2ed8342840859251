// VariableVersion: how often a tensor's data was written in place.
//
// A view and its base share one counter, and so does a detached tensor: whoever saved a tensor for backward compares
// the number then with the number now. A tensor made in inference mode has none. Names follow c10/core/TensorImpl.h.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/intrusive_ptr.h"

namespace gb {

class VariableVersion {
 public:
  VariableVersion() = default;  // disabled: an inference tensor's
  explicit VariableVersion(uint32_t version) : counter_(make_intrusive<Counter>(version)) {}

  bool enabled() const { return counter_.defined(); }
  bool unique() const { return counter_.use_count() <= 1; }
  uint32_t current_version() const;  // throws for an inference tensor
  void bump() {
    if (enabled()) counter_->value.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  struct Counter : intrusive_ptr_target {
    explicit Counter(uint32_t v) : value(v) {}
    std::atomic<uint32_t> value;
  };
  intrusive_ptr<Counter> counter_;
};

}  // namespace gb
