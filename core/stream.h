// Stream: a queue of work on a device, as a value: the device and a number that its backend understands. It owns
// nothing; what a number stands for (a cudaStream_t) is the backend's business. Names follow c10/core/Stream.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/device.h"

namespace gb {

using StreamId = int64_t;

class Stream final {
 public:
  enum Unsafe { UNSAFE };    // says that the number came from the backend itself
  enum Default { DEFAULT };  // the stream that work goes to when nobody says otherwise

  Stream(Unsafe, Device device, StreamId id) : device_(device), id_(id) {}
  Stream(Default, Device device) : Stream(UNSAFE, device, 0) {}

  Device device() const { return device_; }
  DeviceType device_type() const { return device_.type(); }
  DeviceIndex device_index() const { return device_.index(); }
  StreamId id() const { return id_; }
  uint64_t hash() const { return std::hash<Device>()(device_) << 48 ^ static_cast<uint64_t>(id_); }
  friend bool operator==(const Stream& a, const Stream& b) { return a.device_ == b.device_ && a.id_ == b.id_; }

 private:
  Device device_;
  StreamId id_;
};

inline std::string to_string(const Stream& s) {
  return "stream " + std::to_string(s.id()) + " on device " + s.device().str();
}

}  // namespace gb

template <>
struct std::hash<gb::Stream> {
  size_t operator()(const gb::Stream& s) const noexcept { return s.hash(); }
};
