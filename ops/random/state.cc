// A generator's state as a tensor, so that it can be saved with a model: two int64, the seed and how many
// numbers have been drawn.
#include <fmt/format.h>

#include "ops/common/empty.h"
#include "ops/random/random.h"

namespace gb {

Tensor Generator::get_state() const {
  const RandomNumbers next = now();
  const Tensor state = empty_cpu({2}, kLong);
  state.mutable_data_ptr<int64_t>()[0] = static_cast<int64_t>(next.seed);
  state.mutable_data_ptr<int64_t>()[1] = static_cast<int64_t>(next.first);
  return state;
}

void Generator::set_state(const Tensor& state) {
  const bool fits = state.defined() && state.is_cpu() && state.scalar_type() == kLong &&
                    state.sizes() == IntArrayRef{2} && state.is_contiguous();
  GB_CHECK_OR_THROW(
      fits, ValueError, .what = "gb::Generator::set_state: RNG state must be what get_state() returned",
      .cause = state.defined()
                   ? fmt::format("the tensor is {} of sizes {}", state.toString(), to_string(state.sizes()))
                   : std::string("the tensor is undefined"),
      .repair = "pass two int64 on the CPU: seed and offset", .chapter = chapters::kTensors);
  const int64_t* from = state.const_data_ptr<int64_t>();
  set(static_cast<uint64_t>(from[0]), static_cast<uint64_t>(from[1]));
}

}  // namespace gb
