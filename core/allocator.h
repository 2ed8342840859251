// Allocator and DataPtr: where bytes come from, and the handle that gives them back.
// Names follow c10/core/Allocator.h.
#pragma once

#include <cstddef>
#include <utility>

#include "core/device.h"

namespace gb {

using DeleterFn = void (*)(void* context);

// Owns one block of memory: `get()` is the data, `context` is what the deleter needs to find the block again.
class DataPtr {
 public:
  DataPtr() : DataPtr(nullptr, Device(kCPU)) {}
  DataPtr(void* data, Device device) : DataPtr(data, nullptr, nullptr, device) {}  // not owned
  DataPtr(void* data, void* context, DeleterFn deleter, Device device)
      : data_(data), context_(context), deleter_(deleter), device_(device) {}
  DataPtr(DataPtr&& other) noexcept
      : data_(other.data_), context_(other.context_), deleter_(other.deleter_), device_(other.device_) {
    other.data_ = other.context_ = nullptr;
    other.deleter_ = nullptr;
  }
  DataPtr& operator=(DataPtr&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(context_, other.context_);
    std::swap(deleter_, other.deleter_);
    std::swap(device_, other.device_);
    return *this;
  }
  ~DataPtr() { clear(); }

  void* get() const { return data_; }
  void* get_context() const { return context_; }
  DeleterFn get_deleter() const { return deleter_; }
  Device device() const { return device_; }
  explicit operator bool() const { return data_ != nullptr; }
  void clear() {
    if (deleter_) deleter_(context_);
    data_ = context_ = nullptr;
    deleter_ = nullptr;
  }

 private:
  void* data_;
  void* context_;
  DeleterFn deleter_;
  Device device_;
};

class Allocator {
 public:
  virtual ~Allocator() = default;
  // nbytes == 0 gives a null pointer. Throws OutOfMemoryError.
  virtual DataPtr allocate(size_t nbytes) = 0;
};

// What a caching allocator holds: bytes handed out, bytes kept for reuse, and how often a block was reused.
struct AllocatorStats {
  size_t in_use = 0, cached = 0, reused = 0, from_system = 0;
};

// The caching allocator for host memory: 64-byte aligned blocks in power-of-two size classes.
Allocator* GetCPUAllocator();
AllocatorStats cpu_allocator_stats();
void cpu_allocator_empty_cache();  // gives all kept blocks back to the system

}  // namespace gb
