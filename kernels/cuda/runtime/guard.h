// Guards: another device or stream for a scope. Each puts back, at its end, what it found.
//
//   CUDAGuard device(1);                                 // the current device
//   CUDAStreamGuard stream(getStreamFromPool());         // the current stream of its device, and that device
//   const DeviceGuard guard(self.device());              // in an operator's CUDA kernel: says also who
//   allocates
//
// A guard belongs to the thread that made it. Names and behaviour follow c10/cuda/CUDAGuard.h.
#pragma once

#include <optional>

#include "core/device.h"
#include "kernels/cuda/runtime/memory_owner.h"
#include "kernels/cuda/runtime/stream.h"

namespace gb::cuda {

class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex device_index);                            // -1: leaves the current one
  explicit CUDAGuard(Device device) : CUDAGuard(index_of_cuda(device)) {}  // throws for another device type
  ~CUDAGuard();
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;

  void set_device(Device device) { set_index(index_of_cuda(device)); }
  void reset_device(Device device) { set_device(device); }
  void set_index(DeviceIndex device_index);
  Device original_device() const { return Device(kCUDA, original_); }  // before the guard
  Device current_device() const { return Device(kCUDA, current_); }    // what the guard set last

 private:
  static DeviceIndex index_of_cuda(Device device);
  const DeviceIndex original_;
  DeviceIndex current_;
};

// A CUDAGuard that may not be there yet.
class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device> device) {
    if (device) set_device(*device);
  }
  explicit OptionalCUDAGuard(std::optional<DeviceIndex> index) {
    if (index) set_index(*index);
  }

  void set_device(Device device) { guard_ ? guard_->set_device(device) : void(guard_.emplace(device)); }
  void reset_device(Device device) { set_device(device); }
  void set_index(DeviceIndex index) { guard_ ? guard_->set_index(index) : void(guard_.emplace(index)); }
  std::optional<Device> original_device() const {
    return guard_ ? std::optional(guard_->original_device()) : std::nullopt;
  }
  std::optional<Device> current_device() const {
    return guard_ ? std::optional(guard_->current_device()) : std::nullopt;
  }
  void reset() { guard_.reset(); }

 private:
  std::optional<CUDAGuard> guard_;
};

class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(Stream stream);  // throws for a stream of another device type
  ~CUDAStreamGuard() { setCurrentCUDAStream(original_of_device_); }
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;

  void reset_stream(
      Stream stream);  // another one; the streams and the device that the guard found stay in mind
  CUDAStream original_stream() const { return original_; }  // of the original device
  CUDAStream current_stream() const { return current_; }
  Device original_device() const { return device_.original_device(); }
  Device current_device() const { return device_.current_device(); }

 private:
  const CUDAStream original_;
  CUDAGuard device_;
  CUDAStream original_of_device_;  // of the device that is current inside
  CUDAStream current_;
};

class OptionalCUDAStreamGuard {
 public:
  OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(std::optional<Stream> stream) {
    if (stream) reset_stream(*stream);
  }

  void reset_stream(Stream stream) { guard_ ? guard_->reset_stream(stream) : void(guard_.emplace(stream)); }
  std::optional<CUDAStream> original_stream() const {
    return guard_ ? std::optional(guard_->original_stream()) : std::nullopt;
  }
  std::optional<CUDAStream> current_stream() const {
    return guard_ ? std::optional(guard_->current_stream()) : std::nullopt;
  }
  void reset() { guard_.reset(); }

 private:
  std::optional<CUDAStreamGuard> guard_;
};

// The first line of an operator's CUDA kernel: launches and allocations then go to the tensors' device, and
// memory that is allocated inside is known to be this function's. Index -1: leaves the current device.
class DeviceGuard {
 public:
  explicit DeviceGuard(Device device, const char* function = __builtin_FUNCTION(),
                       const char* file = __builtin_FILE())
      : owner_({function, file}), device_(device) {}

 private:
  const MemoryOwnerScope owner_;
  const CUDAGuard device_;
};

}  // namespace gb::cuda
