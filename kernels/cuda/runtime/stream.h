// CUDAStream: a queue of work on a GPU. Work on one stream is done in order; two streams run side by side,
// and only an event (event.h) orders them. Each thread has a current stream per device, at first the default
// one; operators put their work there.
//
// Streams are never made and destroyed by programs: a device has a pool of 32 for each priority, handed out
// in turn, so two users may share one, which is slower but never wrong. They live as long as the program. A
// stream is a value (a gb::Stream): 0 is the default stream, the pool's come next, those of other libraries
// after them. Names and behaviour follow c10/cuda/CUDAStream.h. No toolkit header is needed.
#pragma once

#include <iosfwd>
#include <tuple>

#include "core/stream.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

class CUDAStream {
 public:
  enum Unchecked { UNCHECKED };        // says that the device is known to be CUDA
  explicit CUDAStream(Stream stream);  // throws for another device type
  CUDAStream(Unchecked, Stream stream) : stream_(stream) {}

  operator StreamHandle() const { return stream(); }
  operator Stream() const { return stream_; }
  StreamHandle stream() const;  // CUDA's own handle
  Stream unwrap() const { return stream_; }
  DeviceType device_type() const { return kCUDA; }
  DeviceIndex device_index() const { return stream_.device_index(); }
  Device device() const { return stream_.device(); }
  StreamId id() const { return stream_.id(); }

  bool query() const;                            // is everything done that it was given?
  void synchronize() const;                      // waits until it is
  int priority() const;                          // 0, or negative: sooner
  static std::tuple<int, int> priority_range();  // {lowest 0, highest -3}

  friend bool operator==(const CUDAStream& a, const CUDAStream& b) { return a.stream_ == b.stream_; }

 private:
  Stream stream_;
};

// device -1: the current one of this thread.
CUDAStream getStreamFromPool(bool isHighPriority = false, DeviceIndex device = -1);
CUDAStream getStreamFromPool(int priority, DeviceIndex device = -1);  // clamped to priority_range
CUDAStream getStreamFromExternal(StreamHandle ext_stream, DeviceIndex device_index);  // stays its maker's
CUDAStream getDefaultCUDAStream(DeviceIndex device_index = -1);
CUDAStream getCurrentCUDAStream(DeviceIndex device_index = -1);
void setCurrentCUDAStream(CUDAStream stream);  // of its device, on this thread

// The handle of this thread's current stream on its current device: what kernels are launched on.
StreamHandle current_stream();

std::ostream& operator<<(std::ostream& out, const CUDAStream& stream);

}  // namespace gb::cuda

template <>
struct std::hash<gb::cuda::CUDAStream> {
  size_t operator()(const gb::cuda::CUDAStream& s) const noexcept { return s.unwrap().hash(); }
};
