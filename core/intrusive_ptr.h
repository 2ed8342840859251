// intrusive_ptr: a shared pointer whose count lives in the object, so that a Tensor is exactly one pointer wide.
//
// Invariants: an intrusive_ptr is never null; "empty" is NullType::singleton(), which is not counted. That is what lets
// an undefined tensor answer key_set() without a branch. Counts are atomic; the object itself is not protected.
// A weak_intrusive_ptr keeps the object's memory, not its resources: when the last owner goes, release_resources()
// runs, and the last weak pointer deletes. Who never makes one pays one store when the object is made, one load and
// compare when its last owner goes, and no memory where the next member is aligned to 8 bytes.
// Names follow c10/util/intrusive_ptr.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gb {

template <class T, class NullType>
class intrusive_ptr;
template <class T, class NullType>
class weak_intrusive_ptr;

// Base of everything that an intrusive_ptr may hold.
class intrusive_ptr_target {
 protected:
  intrusive_ptr_target() noexcept : refcount_(0), weakcount_(1) {}
  intrusive_ptr_target(const intrusive_ptr_target&) noexcept : intrusive_ptr_target() {}  // a copy starts uncounted
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }
  virtual ~intrusive_ptr_target() = default;
  // The last owner has gone, weak pointers are left: lets go of what is big.
  virtual void release_resources() {}

 private:
  template <class T, class NullType>
  friend class intrusive_ptr;
  template <class T, class NullType>
  friend class weak_intrusive_ptr;

  // Out of line, so that the path without weak pointers stays small.
  [[gnu::noinline, gnu::cold]] void leave_to_weak() const noexcept {
    const_cast<intrusive_ptr_target*>(this)->release_resources();
    drop_weak();
  }
  void drop_weak() const noexcept {
    if (weakcount_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  mutable std::atomic<uint32_t> refcount_;
  mutable std::atomic<uint32_t> weakcount_;  // the weak pointers, and one for all owners together
};

namespace detail {
template <class T>
struct intrusive_target_default_null_type {
  static constexpr T* singleton() noexcept { return nullptr; }
};
}  // namespace detail

template <class T, class NullType = detail::intrusive_target_default_null_type<T>>
class intrusive_ptr {
 public:
  using element_type = T;

  intrusive_ptr() noexcept : target_(NullType::singleton()) {}
  intrusive_ptr(std::nullptr_t) noexcept : intrusive_ptr() {}
  intrusive_ptr(const intrusive_ptr& other) noexcept : target_(other.target_) { retain(); }
  intrusive_ptr(intrusive_ptr&& other) noexcept : target_(other.target_) { other.target_ = NullType::singleton(); }
  template <class U, class UNull>  // derived to base
  intrusive_ptr(intrusive_ptr<U, UNull> other) noexcept
      : target_(other.defined() ? static_cast<T*>(other.release()) : NullType::singleton()) {}
  ~intrusive_ptr() noexcept { drop(); }

  intrusive_ptr& operator=(intrusive_ptr other) noexcept {
    swap(other);
    return *this;
  }

  T* get() const noexcept { return target_; }
  T& operator*() const noexcept { return *target_; }
  T* operator->() const noexcept { return target_; }
  explicit operator bool() const noexcept { return defined(); }
  bool defined() const noexcept { return target_ != NullType::singleton(); }
  uint32_t use_count() const noexcept { return defined() ? target_->refcount_.load(std::memory_order_acquire) : 0; }
  uint32_t weak_use_count() const noexcept {  // the owners together count as one
    return defined() ? target_->weakcount_.load(std::memory_order_acquire) : 0;
  }
  bool unique() const noexcept { return use_count() == 1; }

  void reset() noexcept {
    drop();
    target_ = NullType::singleton();
  }
  void swap(intrusive_ptr& other) noexcept { std::swap(target_, other.target_); }

  // Gives the pointer away without lowering the count; reclaim() takes it back.
  T* release() noexcept { return std::exchange(target_, NullType::singleton()); }
  static intrusive_ptr reclaim(T* owned) noexcept {
    intrusive_ptr p;
    p.target_ = owned;
    return p;
  }
  // A new reference to an object that somebody else owns as well.
  static intrusive_ptr reclaim_copy(T* shared) noexcept {
    intrusive_ptr p = reclaim(shared);
    p.retain();
    return p;
  }
  // Takes a freshly made object, whose count is 0.
  static intrusive_ptr adopt_new(T* fresh) noexcept {
    fresh->refcount_.store(1, std::memory_order_relaxed);  // nobody else can see it yet
    return reclaim(fresh);
  }

  friend bool operator==(const intrusive_ptr& a, const intrusive_ptr& b) noexcept { return a.target_ == b.target_; }

 private:
  void retain() noexcept {
    if (defined()) target_->refcount_.fetch_add(1, std::memory_order_relaxed);
  }
  void drop() noexcept {
    if (!defined() || target_->refcount_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    // Without owners no weak pointer can be made but from another one: if there is none now, there will be none.
    if (target_->weakcount_.load(std::memory_order_acquire) == 1) [[likely]]
      delete target_;  // by its own type: the destructor of a final class needs no virtual call
    else
      static_cast<const intrusive_ptr_target*>(target_)->leave_to_weak();
  }
  T* target_;
};

// Looks at an object without owning it; lock() gives an owner while there is one still.
template <class T, class NullType = detail::intrusive_target_default_null_type<T>>
class weak_intrusive_ptr {
 public:
  using element_type = T;

  weak_intrusive_ptr() noexcept : target_(NullType::singleton()) {}
  explicit weak_intrusive_ptr(const intrusive_ptr<T, NullType>& owner) noexcept : target_(owner.get()) { retain(); }
  weak_intrusive_ptr(const weak_intrusive_ptr& other) noexcept : target_(other.target_) { retain(); }
  weak_intrusive_ptr(weak_intrusive_ptr&& other) noexcept : target_(other.target_) {
    other.target_ = NullType::singleton();
  }
  ~weak_intrusive_ptr() noexcept { reset(); }
  weak_intrusive_ptr& operator=(weak_intrusive_ptr other) noexcept {
    swap(other);
    return *this;
  }

  intrusive_ptr<T, NullType> lock() const noexcept {  // null once the last owner has gone
    if (!is_set()) return {};
    uint32_t owners = target_->refcount_.load(std::memory_order_relaxed);
    do {
      if (owners == 0) return {};
    } while (!target_->refcount_.compare_exchange_weak(owners, owners + 1, std::memory_order_acq_rel));
    return intrusive_ptr<T, NullType>::reclaim(target_);
  }
  bool expired() const noexcept { return use_count() == 0; }
  uint32_t use_count() const noexcept { return is_set() ? target_->refcount_.load(std::memory_order_acquire) : 0; }
  uint32_t weak_use_count() const noexcept {
    return is_set() ? target_->weakcount_.load(std::memory_order_acquire) : 0;
  }
  T* _unsafe_get_target() const noexcept { return target_; }  // may have been let go already
  void reset() noexcept {
    if (is_set()) static_cast<const intrusive_ptr_target*>(target_)->drop_weak();
    target_ = NullType::singleton();
  }
  void swap(weak_intrusive_ptr& other) noexcept { std::swap(target_, other.target_); }
  friend bool operator==(const weak_intrusive_ptr& a, const weak_intrusive_ptr& b) noexcept {
    return a.target_ == b.target_;
  }

 private:
  bool is_set() const noexcept { return target_ != NullType::singleton(); }
  void retain() noexcept {
    if (is_set()) target_->weakcount_.fetch_add(1, std::memory_order_relaxed);
  }
  T* target_;
};

template <class T, class NullType = detail::intrusive_target_default_null_type<T>, class... Args>
[[gnu::always_inline]] inline intrusive_ptr<T, NullType> make_intrusive(Args&&... args) {
  return intrusive_ptr<T, NullType>::adopt_new(new T(std::forward<Args>(args)...));
}

}  // namespace gb
