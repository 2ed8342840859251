// The casts, and the cache of those of weights.
//
// Kept while a region lasts: casts of float32 leaves that require grad to the lower precision. The cast is an
// operator call that autograd records, so all uses of a weight share one ToCopyBackward0 and one
// AccumulateGrad. A cast made where nothing is recorded (no_grad, inference mode) is not kept: a later call
// would find it without its history, and the weight would get no gradient. An entry counts only for the
// version of the weight it was made of.
#include <mutex>
#include <unordered_map>

#include "core/autograd_state.h"
#include "ops/autocast/autocast.h"

namespace gb::autocast {
namespace {

struct Entry {
  Tensor source;  // held, so that its address, the key, is not used again
  Tensor cast;
  int64_t version;
};
// One for all threads, as in PyTorch: whoever leaves their last region clears it.
struct Cache {
  std::mutex mutex;
  std::unordered_map<const TensorImpl*, Entry> entries;
};
Cache& cache() {
  static Cache& never_destroyed = *new Cache;
  return never_destroyed;
}

bool may_keep(const Tensor& arg, ScalarType to, DeviceType device) {
  return to == get_autocast_dtype(device) && arg.scalar_type() == kFloat && arg.requires_grad() &&
         arg.is_leaf() && !arg.is_view() && is_autocast_cache_enabled() && GradMode::is_enabled() &&
         !impl::tls_is_dispatch_key_excluded(DispatchKey::AutogradFunctionality);
}

}  // namespace

void clear_cache() {
  decltype(Cache::entries) dying;  // goes after the lock
  std::lock_guard lock(cache().mutex);
  dying.swap(cache().entries);
}

bool is_eligible(const Tensor& arg, DeviceType device) {
  return arg.defined() && arg.device().type() == device && arg.is_floating_point() &&
         arg.scalar_type() != kDouble;
}

Tensor cached_cast(ScalarType to, const Tensor& arg, DeviceType device) {
  if (!is_eligible(arg, device) || arg.scalar_type() == to) return arg;
  if (!may_keep(arg, to, device)) return arg.to(to);
  const TensorImpl* key = arg.unsafeGetTensorImpl();
  const auto version = static_cast<int64_t>(arg._version());
  {
    std::lock_guard lock(cache().mutex);
    const auto at = cache().entries.find(key);
    if (at != cache().entries.end() && at->second.version == version && at->second.cast.scalar_type() == to)
      return at->second.cast;
  }
  Entry fresh{arg, arg.to(to), version};
  const Tensor cast = fresh.cast;
  std::lock_guard lock(cache().mutex);
  std::swap(cache().entries[key], fresh);
  return cast;
}

std::optional<Tensor> cached_cast(ScalarType to, const std::optional<Tensor>& arg, DeviceType device) {
  if (!arg) return std::nullopt;
  return cached_cast(to, *arg, device);
}

std::vector<Tensor> cached_cast(ScalarType to, TensorList arg, DeviceType device) {
  std::vector<Tensor> cast;
  for (const Tensor& t : arg) cast.push_back(cached_cast(to, t, device));
  return cast;
}

}  // namespace gb::autocast
