#include "core/dispatch_key_set.h"

#include <fmt/format.h>

#include <ostream>

#include "core/error.h"

namespace gb {

DispatchKeySet getRuntimeDispatchKeySet(DispatchKey k) {
  switch (k) {
    case DispatchKey::Autograd: return autograd_dispatch_keyset | full_backend_keyset;
    case DispatchKey::CompositeImplicitAutograd: return math_dispatch_keyset;
    case DispatchKey::CompositeExplicitAutograd: return backend_dispatch_keyset;
    default: return DispatchKeySet(k);
  }
}

bool runtimeDispatchKeySetHas(DispatchKey alias, DispatchKey k) {
  if (!isAliasDispatchKey(alias)) return alias == k;
  return k != DispatchKey::Undefined && getRuntimeDispatchKeySet(alias).has(k);
}

bool isIncludedInAlias(DispatchKey k, DispatchKey alias) {
  return k != DispatchKey::Undefined && runtimeDispatchKeySetHas(alias, k);
}

DispatchKeySet getBackendKeySetFromAutograd(DispatchKey k) {
  if (k == DispatchKey::AutogradOther) return autogradother_backends;
  if (toFunctionalityKey(k) != DispatchKey::AutogradFunctionality) return {};
  return DispatchKeySet(toRuntimePerBackendFunctionalityKey(DispatchKey::Dense, toBackendComponent(k)));
}

void DispatchKeySet::iterator::throw_past_the_end(uint8_t functionality) {
  GB_THROW(IndexError, .what = "DispatchKeySet::iterator: it would start past the end of the word",
           .cause = fmt::format("bit {}, the end is {}", functionality, int{kEndBit}),
           .repair = "use begin() and end()", .chapter = chapters::kDispatch);
}

std::string toString(DispatchKeySet ks) {
  std::string text = "{";
  const auto append = [&](DispatchKey k) {
    if (text.size() > 1) text += ", ";
    text += toString(k);
  };
  if (ks.has_any(full_backend_keyset)) {
    for (DispatchKey k : ks) append(k);
  } else {  // no backend, so no runtime key: the functionalities by themselves
    for (uint8_t k = 1; k < num_functionality_keys; ++k) {
      if (ks.has(static_cast<DispatchKey>(k))) append(static_cast<DispatchKey>(k));
    }
  }
  return text + "}";
}

std::ostream& operator<<(std::ostream& out, DispatchKey k) { return out << toString(k); }
std::ostream& operator<<(std::ostream& out, BackendComponent b) { return out << toString(b); }
std::ostream& operator<<(std::ostream& out, DispatchKeySet ks) { return out << toString(ks); }

}  // namespace gb
