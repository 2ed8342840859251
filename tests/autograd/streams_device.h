// A made-up device with streams: host memory under another name (the kernels are those of labs/private_use1.h), whose
// work is done at once, but which notes what was asked of its streams.
#pragma once

#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "core/device_hooks.h"

namespace gb::tests {

class StreamsDevice final : public DeviceHooks {
 public:
  static constexpr int kDevices = 2;
  struct Wait {
    Device later_device, earlier_device;
    StreamId later, earlier;
    friend bool operator<(const Wait& a, const Wait& b) { return a.key() < b.key(); }
    std::tuple<int, int, StreamId, StreamId> key() const {
      return {later_device.index(), earlier_device.index(), later, earlier};
    }
  };

  int device_count() const override { return kDevices; }
  std::string describe(Device) const override { return "host memory with streams"; }
  Allocator* allocator(Device device) override { return &allocators_[device.has_index() ? device.index() : 0]; }
  void copy(void* dst, Device, const void* src, Device, size_t nbytes) override { std::memcpy(dst, src, nbytes); }
  void synchronize(Device) override {}
  bool has_streams() const override { return true; }
  int current_device() const override { return t_device_; }
  void set_current_device(Device device) override { t_device_ = device.index(); }
  Stream current_stream(Device device) const override {
    const Device here(kPrivateUse1, device.has_index() ? device.index() : static_cast<DeviceIndex>(t_device_));
    return Stream(Stream::UNSAFE, here, t_streams_[here.index()]);
  }
  void set_current_stream(const Stream& stream) override { t_streams_[stream.device_index()] = stream.id(); }
  void wait(const Stream& later, const Stream& earlier) override {
    const std::lock_guard lock(mutex_);
    waits_.insert({later.device(), earlier.device(), later.id(), earlier.id()});
  }
  void record_stream(const DataPtr&, const Stream& stream) override {
    const std::lock_guard lock(mutex_);
    recorded_.insert(stream.id());
  }

  bool waited(int device, StreamId later, StreamId earlier) const {
    const Device d(kPrivateUse1, static_cast<DeviceIndex>(device));
    const std::lock_guard lock(mutex_);
    return waits_.count({d, d, later, earlier}) > 0;
  }
  size_t waits() const {
    const std::lock_guard lock(mutex_);
    return waits_.size();
  }
  bool recorded(StreamId stream) const {
    const std::lock_guard lock(mutex_);
    return recorded_.count(stream) > 0;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    waits_.clear();
    recorded_.clear();
  }

 private:
  class HostAllocator final : public Allocator {
   public:
    explicit HostAllocator(DeviceIndex device) : device_(device) {}
    DataPtr allocate(size_t nbytes) override {
      const Device here(kPrivateUse1, device_);
      if (nbytes == 0) return DataPtr(nullptr, here);
      void* memory = ::operator new(nbytes);
      return DataPtr(memory, memory, [](void* context) { ::operator delete(context); }, here);
    }

   private:
    const DeviceIndex device_;
  };

  inline static thread_local int t_device_ = 0;
  inline static thread_local StreamId t_streams_[kDevices] = {};
  HostAllocator allocators_[kDevices] = {HostAllocator(0), HostAllocator(1)};
  mutable std::mutex mutex_;
  std::set<Wait> waits_;
  std::set<StreamId> recorded_;  // for which memory was kept
};

}  // namespace gb::tests
