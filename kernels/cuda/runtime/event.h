// CUDAEvent: a mark in a stream. Whoever waits for it waits for all the work that stood before it.
//
//   CUDAEvent done;
//   done.record(producer);     // behind what `producer` has been given so far
//   done.block(consumer);      // what `consumer` is given from now on starts after that; the host goes on
//
// Made at the first record, on the stream's device. Names follow ATen/cuda/CUDAEvent.h.
#pragma once

#include <optional>
#include <utility>

#include "kernels/cuda/runtime/stream.h"

struct CUevent_st;

namespace gb::cuda {

using EventHandle = CUevent_st*;

class CUDAEvent {
 public:
  static constexpr unsigned kDefault = 0, kBlockingSync = 1, kDisableTiming = 2;  // CUDA's own flags

  CUDAEvent() : CUDAEvent(kDisableTiming) {}
  explicit CUDAEvent(unsigned flags) : flags_(flags) {}
  ~CUDAEvent();
  CUDAEvent(CUDAEvent&& other) noexcept { *this = std::move(other); }
  CUDAEvent& operator=(CUDAEvent&& other) noexcept;

  operator EventHandle() const { return event(); }
  EventHandle event() const { return event_; }  // null before the first record
  bool isCreated() const { return event_ != nullptr; }
  std::optional<Device> device() const {
    return event_ ? std::optional(Device(kCUDA, device_index_)) : std::nullopt;
  }
  DeviceIndex device_index() const { return device_index_; }

  void record();  // on the current stream
  void record(const CUDAStream& stream);
  void recordOnce(const CUDAStream& stream);  // only the first time
  void block(const CUDAStream& stream) const;
  bool query() const;        // has the stream got there? true where nothing was recorded
  void synchronize() const;  // the host waits
  // Milliseconds from this event to `other`; both need the flag kDefault, and must have passed.
  float elapsed_time(const CUDAEvent& other) const;

 private:
  unsigned flags_ = kDisableTiming;
  bool recorded_ = false;
  DeviceIndex device_index_ = -1;
  EventHandle event_ = nullptr;
};

}  // namespace gb::cuda
