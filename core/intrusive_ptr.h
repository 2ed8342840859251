// intrusive_ptr: a shared pointer whose count lives in the object, so that a Tensor is exactly one pointer wide.
//
// Invariants: an intrusive_ptr is never null; "empty" is NullType::singleton(), which is not counted. That is what lets
// an undefined tensor answer key_set() without a branch. Counts are atomic; the object itself is not protected.
// Names follow c10/util/intrusive_ptr.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gb {

template <class T, class NullType>
class intrusive_ptr;

// Base of everything that an intrusive_ptr may hold.
class intrusive_ptr_target {
 protected:
  intrusive_ptr_target() noexcept : refcount_(0) {}
  intrusive_ptr_target(const intrusive_ptr_target&) noexcept : refcount_(0) {}  // a copy starts uncounted
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }
  virtual ~intrusive_ptr_target() = default;

 private:
  template <class T, class NullType>
  friend class intrusive_ptr;
  mutable std::atomic<uint32_t> refcount_;
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
    if (defined() && target_->refcount_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete target_;  // by its own type: the destructor of a final class needs no virtual call
    }
  }
  T* target_;
};

template <class T, class NullType = detail::intrusive_target_default_null_type<T>, class... Args>
[[gnu::always_inline]] inline intrusive_ptr<T, NullType> make_intrusive(Args&&... args) {
  return intrusive_ptr<T, NullType>::adopt_new(new T(std::forward<Args>(args)...));
}

}  // namespace gb
