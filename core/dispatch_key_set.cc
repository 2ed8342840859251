#include "core/dispatch_key_set.h"

namespace gb {
namespace {

constexpr DispatchKeySet kAllBackends(DispatchKeySet::RAW, (uint64_t{1} << num_backends) - 1);

}  // namespace

DispatchKeySet getRuntimeDispatchKeySet(DispatchKey k) {
  switch (k) {
    case DispatchKey::Autograd: return autograd_dispatch_keyset | kAllBackends;
    case DispatchKey::CompositeImplicitAutograd:
      return autograd_dispatch_keyset | DispatchKeySet(DispatchKey::Dense) | kAllBackends;
    case DispatchKey::CompositeExplicitAutograd: return DispatchKeySet(DispatchKey::Dense) | kAllBackends;
    default: return DispatchKeySet(k);
  }
}

bool runtimeDispatchKeySetHas(DispatchKey alias, DispatchKey k) {
  if (!isAliasDispatchKey(alias)) return alias == k;
  for (DispatchKey member : getRuntimeDispatchKeySet(alias)) {
    if (member == k) return true;
  }
  return false;
}

bool isIncludedInAlias(DispatchKey k, DispatchKey alias) {
  return k != DispatchKey::Undefined && runtimeDispatchKeySetHas(alias, k);
}

std::string toString(DispatchKeySet ks) {
  std::string text = "{";
  const auto append = [&](DispatchKey k) {
    if (text.size() > 1) text += ", ";
    text += toString(k);
  };
  if (ks.has_any(kAllBackends)) {
    for (DispatchKey k : ks) append(k);
  } else {  // no backend, so no runtime key: the functionalities by themselves
    for (uint8_t k = 1; k < num_functionality_keys; ++k) {
      if (ks.has(static_cast<DispatchKey>(k))) append(static_cast<DispatchKey>(k));
    }
  }
  return text + "}";
}

}  // namespace gb
