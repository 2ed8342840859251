// ByteLock: a mutex of one byte, for objects of which there are many and which are hardly ever contended: a tensor's
// autograd metadata, a saved tensor. (std::mutex takes 40 bytes.) Who has to wait, yields. A copy of a lock is a lock of
// its own, which nobody holds.
#pragma once

#include <atomic>
#include <thread>

namespace gb {

class ByteLock {  // a BasicLockable: std::lock_guard<ByteLock>
 public:
  ByteLock() = default;
  ByteLock(const ByteLock&) noexcept {}
  ByteLock& operator=(const ByteLock&) noexcept { return *this; }
  void lock() noexcept {
    while (held_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace gb
