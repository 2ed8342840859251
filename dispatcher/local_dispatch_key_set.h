// What a thread adds to, and takes away from, the key set of every call it makes.
//
// A kernel at Autograd excludes the autograd keys while it runs, so that the operators it calls are not recorded again;
// a DispatchMode includes the mode key. The two guards that add keys take off, at their end, the ones that they added and
// no others: what was switched on or off meanwhile stays so. (As PyTorch's do, but for backend bits that they added:
// PyTorch's leave those behind.) Names follow c10/core/impl/LocalDispatchKeySet.h.
#pragma once

#include "core/dispatch_key_set.h"

namespace gb {
namespace impl {

struct LocalDispatchKeySet {
  DispatchKeySet included_ = default_included_set;
  DispatchKeySet excluded_ = default_excluded_set;
};

// constinit and inline: reading it is one thread-relative load, without guard or call.
inline constinit thread_local LocalDispatchKeySet tls_local_dispatch_key_set_;

inline LocalDispatchKeySet tls_local_dispatch_key_set() { return tls_local_dispatch_key_set_; }

inline bool tls_is_dispatch_key_included(DispatchKey k) { return tls_local_dispatch_key_set_.included_.has(k); }
inline bool tls_is_dispatch_key_excluded(DispatchKey k) { return tls_local_dispatch_key_set_.excluded_.has(k); }
inline bool tls_is_dispatch_keyset_included(DispatchKeySet ks) { return tls_local_dispatch_key_set_.included_.has_all(ks); }
inline bool tls_is_dispatch_keyset_excluded(DispatchKeySet ks) { return tls_local_dispatch_key_set_.excluded_.has_all(ks); }
inline void tls_set_dispatch_key_included(DispatchKey k, bool on) {
  auto& included = tls_local_dispatch_key_set_.included_;
  included = on ? included.add(k) : included.remove(k);
}
inline void tls_set_dispatch_key_excluded(DispatchKey k, bool on) {
  auto& excluded = tls_local_dispatch_key_set_.excluded_;
  excluded = on ? excluded.add(k) : excluded.remove(k);
}

// The bits of `a` that are not in `b`, backend bits too (`-` leaves those).
constexpr DispatchKeySet bits_without(DispatchKeySet a, DispatchKeySet b) {
  return {DispatchKeySet::RAW, a.raw_repr() & ~b.raw_repr()};
}

// Adds keys to the included set for a scope.
class IncludeDispatchKeyGuard {
 public:
  explicit IncludeDispatchKeyGuard(DispatchKeySet ks)
      : added_(bits_without(ks, tls_local_dispatch_key_set_.included_)) {
    tls_local_dispatch_key_set_.included_ = tls_local_dispatch_key_set_.included_ | ks;
  }
  explicit IncludeDispatchKeyGuard(DispatchKey k) : IncludeDispatchKeyGuard(DispatchKeySet(k)) {}
  ~IncludeDispatchKeyGuard() {
    tls_local_dispatch_key_set_.included_ = bits_without(tls_local_dispatch_key_set_.included_, added_);
  }
  IncludeDispatchKeyGuard(const IncludeDispatchKeyGuard&) = delete;
  IncludeDispatchKeyGuard& operator=(const IncludeDispatchKeyGuard&) = delete;

 private:
  DispatchKeySet added_;
};

// Adds keys to the excluded set for a scope.
class ExcludeDispatchKeyGuard {
 public:
  explicit ExcludeDispatchKeyGuard(DispatchKeySet ks)
      : added_(bits_without(ks, tls_local_dispatch_key_set_.excluded_)) {
    tls_local_dispatch_key_set_.excluded_ = tls_local_dispatch_key_set_.excluded_ | ks;
  }
  explicit ExcludeDispatchKeyGuard(DispatchKey k) : ExcludeDispatchKeyGuard(DispatchKeySet(k)) {}
  ~ExcludeDispatchKeyGuard() {
    tls_local_dispatch_key_set_.excluded_ = bits_without(tls_local_dispatch_key_set_.excluded_, added_);
  }
  ExcludeDispatchKeyGuard(const ExcludeDispatchKeyGuard&) = delete;
  ExcludeDispatchKeyGuard& operator=(const ExcludeDispatchKeyGuard&) = delete;

 private:
  DispatchKeySet added_;
};

// Sets both for a scope.
class ForceDispatchKeyGuard {
 public:
  explicit ForceDispatchKeyGuard(LocalDispatchKeySet set) : before_(tls_local_dispatch_key_set_) {
    tls_local_dispatch_key_set_ = set;
  }
  ForceDispatchKeyGuard(DispatchKeySet included, DispatchKeySet excluded)
      : ForceDispatchKeyGuard(LocalDispatchKeySet{included, excluded}) {}
  ~ForceDispatchKeyGuard() { tls_local_dispatch_key_set_ = before_; }
  ForceDispatchKeyGuard(const ForceDispatchKeyGuard&) = delete;
  ForceDispatchKeyGuard& operator=(const ForceDispatchKeyGuard&) = delete;

 private:
  LocalDispatchKeySet before_;
};

}  // namespace impl

// For kernels at Autograd: what they call is not recorded, but versions are still bumped and views made.
struct AutoDispatchBelowAutograd : impl::ExcludeDispatchKeyGuard {
  AutoDispatchBelowAutograd() : ExcludeDispatchKeyGuard(autograd_dispatch_keyset) {}
};
// The same and nothing of autograd at all.
struct AutoDispatchBelowADInplaceOrView : impl::ExcludeDispatchKeyGuard {
  AutoDispatchBelowADInplaceOrView() : ExcludeDispatchKeyGuard(autograd_dispatch_keyset_with_ADInplaceOrView) {}
};

}  // namespace gb
