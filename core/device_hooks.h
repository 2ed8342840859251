// DeviceHooks: what a device other than the CPU must be able to do. `kernels/cuda` fills it in for CUDA, and
// a reader's own backend for PrivateUse1; `core/` never includes either.
//
// Streams: a device whose calls return before their work is done gives its work to streams. Work on one
// stream is done in order; `wait` orders two of them. A backend without streams leaves these functions as
// they are.
#pragma once

#include <cstddef>
#include <string>

#include "core/allocator.h"
#include "core/device.h"
#include "core/stream.h"

namespace gb {

class DeviceHooks {
 public:
  virtual ~DeviceHooks() = default;
  virtual int device_count() const = 0;  // 0: no such device in this machine
  virtual std::string describe(
      Device device) const = 0;  // "NVIDIA H200, compute capability 9.0"; why there is none
  virtual Allocator* allocator(Device device) = 0;
  // Contiguous bytes; one side may be the CPU. Ordered after all work already given to the device's current
  // stream; a copy to the CPU has arrived when it returns, and one from the CPU has been read.
  virtual void copy(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes) = 0;
  // The same, and may return earlier: the host's side is read or written when the stream gets there. Pinned
  // memory is not reused before that, also where it is given back at once.
  virtual void copy_async(void* dst, Device dst_device, const void* src, Device src_device, size_t nbytes) {
    copy(dst, dst_device, src, src_device, nbytes);
  }
  virtual void synchronize(Device device) = 0;

  // --- streams
  virtual bool has_streams() const { return false; }
  virtual int current_device() const { return 0; }  // of this thread
  virtual void set_current_device(Device) {}
  // Of this thread, one per device. Its id fits into 32 bits.
  virtual Stream current_stream(Device device) const { return Stream(Stream::DEFAULT, device); }
  virtual void set_current_stream(const Stream&) {}
  // What is given to `later` from now on starts when all is done that `earlier` has been given so far.
  virtual void wait(const Stream& /*later*/, const Stream& /*earlier*/) {}
  // `data` is used on `stream`, too: it is not given out again before what that stream has then been given is
  // done.
  virtual void record_stream(const DataPtr& /*data*/, const Stream& /*stream*/) {}

  // --- pinned memory: host memory that the device reads and writes by itself. null: there is none.
  virtual Allocator* pinned_allocator() { return nullptr; }
  virtual bool is_pinned(const void* /*data*/) const { return false; }
};

// `hooks` must live for the rest of the program.
void register_device_hooks(DeviceType type, DeviceHooks* hooks);
// Null when nothing is registered for the type.
DeviceHooks* device_hooks(DeviceType type);
// The hooks of a device with streams; null for the CPU and for devices without.
DeviceHooks* hooks_with_streams(DeviceType type);

// The memory of `device`; throws (no CUDA in this build, no GPU in this machine) with the reason.
Allocator* allocator_for(Device device);

namespace cuda {
bool is_available();  // a build with CUDA on a machine with a GPU
int device_count();
}  // namespace cuda

}  // namespace gb
