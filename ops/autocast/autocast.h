// Autocast: inside a region, matrix products run in a lower-precision dtype and sensitive operators in
// float32; the program's tensors stay what they are.
//
//   { gb::autocast::AutocastGuard region(kCPU);  y = linear(x, w, b); }      y is bfloat16, w stays float32
//
// How: each listed operator has a kernel at AutocastCPU or AutocastCUDA that casts its arguments and calls
// the operator again without the autocast keys. Every tensor carries its autocast key; a thread excludes it
// outside of regions. Autocast stands above Autograd, so that the casts are calls that autograd records
// (labs/autocast_order.h shows why). Casts of weights are cached until the outermost region ends, so a weight
// that is used twice is cast once and its gradient comes through one node.
//
// All state but the cache is the thread's own. Names follow ATen/autocast_mode.h. Differences: see README.md.
#pragma once

#include <optional>
#include <vector>

#include "core/tensor.h"
#include "dispatcher/local_dispatch_key_set.h"

namespace gb::autocast {

// CPU, CUDA and PrivateUse1; other devices have no autocast, and is_autocast_enabled says no. False as well
// while an autocast kernel runs.
bool is_autocast_enabled(DeviceType device);
void set_autocast_enabled(DeviceType device, bool enabled);
// Which dtype is "lower precision" there: bfloat16 on the CPU, else float16, until it is set.
ScalarType get_autocast_dtype(DeviceType device);
void set_autocast_dtype(DeviceType device, ScalarType dtype);

// How many regions this thread is in. Whoever leaves the last one clears the cache.
int increment_nesting();
int decrement_nesting();
bool is_autocast_cache_enabled();
void set_autocast_cache_enabled(bool enabled);
void clear_cache();

// Floating point but not double, and on `device`: what autocast casts.
bool is_eligible(const Tensor& arg, DeviceType device = kCUDA);

// `arg` as `to`, where it is eligible; else `arg` itself. A float32 leaf that requires grad is cast to the
// lower precision once per region.
Tensor cached_cast(ScalarType to, const Tensor& arg, DeviceType device = kCUDA);
std::optional<Tensor> cached_cast(ScalarType to, const std::optional<Tensor>& arg, DeviceType device = kCUDA);
std::vector<Tensor> cached_cast(ScalarType to, TensorList arg, DeviceType device = kCUDA);
template <class T>  // what is no tensor
T cached_cast(ScalarType, T arg, DeviceType = kCUDA) {
  return arg;
}

namespace detail {
// What one thread has switched on.
struct State {
  struct Device {
    bool enabled = false;
    ScalarType dtype = kHalf;
  };
  Device cpu{.dtype = kBFloat16}, cuda, private_use1;
  bool cache = true;
};
}  // namespace detail

// A region: enabled (or disabled, inside of another region) for `device` until it goes; then everything is as
// before.
class AutocastGuard {
 public:
  // Throws ValueError for a dtype that is not float16 or bfloat16, and for a device without autocast.
  explicit AutocastGuard(DeviceType device, std::optional<ScalarType> dtype = {}, bool enabled = true,
                         bool cache_enabled = true);
  ~AutocastGuard();
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
  detail::State before_;
  bool excluded_before_;
};

}  // namespace gb::autocast
