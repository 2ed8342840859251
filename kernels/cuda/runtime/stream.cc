#include "kernels/cuda/runtime/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <ostream>
#include <vector>

#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/guard.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda {
namespace {

// Ids: 0 is the default stream; number i of the pool of priority -p is 1 + 32 p + i; then other people's.
constexpr StreamId kPerPool = 32, kPriorities = 4, kFirstExternal = 1 + kPerPool * kPriorities;

struct DevicePools {
  std::array<std::atomic<uint32_t>, kPriorities> next = {};
  std::array<std::atomic<StreamHandle>, kFirstExternal> streams = {};  // null: not made yet
};
DevicePools g_pools[kMaxDevices];
std::mutex g_mutex;  // of making streams, and of g_external

struct External {
  StreamHandle handle;
  DeviceIndex device;
};
std::vector<External>& external() {
  static auto* all = new std::vector<External>;  // never destroyed: threads may go on using streams
  return *all;
}

// What this thread chose, per device; all zero: the default streams.
struct Current {
  StreamId id;
  StreamHandle handle;
};
thread_local Current t_current[kMaxDevices];
thread_local bool t_any_chosen = false;

DeviceIndex checked(DeviceIndex device) {
  if (device == -1) return static_cast<DeviceIndex>(current_device());
  GB_CHECK_OR_THROW(device >= 0 && device < kMaxDevices, ValueError,
                    .what = fmt::format("no such device: cuda:{}", static_cast<int>(device)),
                    .cause = fmt::format("device numbers run from 0 to {}", kMaxDevices - 1),
                    .repair = "give a device of gb::cuda::device_count(), or -1 for the current one",
                    .chapter = chapters::kKernels);
  return device;
}

CUDAStream stream_of(DeviceIndex device, StreamId id) {
  return CUDAStream(CUDAStream::UNCHECKED, Stream(Stream::UNSAFE, Device(kCUDA, device), id));
}

StreamHandle pool_stream(DeviceIndex device, StreamId id) {
  std::atomic<StreamHandle>& slot = g_pools[device].streams[static_cast<size_t>(id)];
  if (StreamHandle handle = slot.load(std::memory_order_acquire)) return handle;
  const std::lock_guard lock(g_mutex);
  if (StreamHandle handle = slot.load(std::memory_order_acquire)) return handle;
  const CUDAGuard guard(device);
  StreamHandle handle = nullptr;
  // Non-blocking: it and the default stream do not wait for each other.
  GB_CUDA_CHECK(
      cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking, stream_of(device, id).priority()));
  slot.store(handle, std::memory_order_release);
  return handle;
}

}  // namespace

CUDAStream::CUDAStream(Stream stream) : stream_(stream) {
  GB_CHECK_OR_THROW(stream.device_type() == kCUDA, ValueError,
                    .what = "CUDAStream: not a stream of a CUDA device", .cause = to_string(stream),
                    .repair = "give a stream whose device is cuda", .chapter = chapters::kKernels);
}

StreamHandle CUDAStream::stream() const {
  if (id() == 0) return nullptr;
  if (id() < kFirstExternal) return pool_stream(device_index(), id());
  const std::lock_guard lock(g_mutex);
  return external()[static_cast<size_t>(id() - kFirstExternal)].handle;
}

bool CUDAStream::query() const {
  const CUDAGuard guard(device_index());
  const cudaError_t code = cudaStreamQuery(stream());
  if (code == cudaErrorNotReady) {
    cudaGetLastError();  // an answer, not a fault
    return false;
  }
  GB_CUDA_CHECK(code);
  return true;
}

void CUDAStream::synchronize() const {
  const CUDAGuard guard(device_index());
  GB_CUDA_CHECK(cudaStreamSynchronize(stream()));
}

int CUDAStream::priority() const {
  if (id() == 0) return 0;
  if (id() < kFirstExternal) return -static_cast<int>((id() - 1) / kPerPool);
  const CUDAGuard guard(device_index());
  int priority = 0;
  GB_CUDA_CHECK(cudaStreamGetPriority(stream(), &priority));
  return priority;
}

std::tuple<int, int> CUDAStream::priority_range() {
  int lowest = 0, highest = 0;
  GB_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  return {0, std::max(highest, -static_cast<int>(kPriorities - 1))};
}

CUDAStream getStreamFromPool(int priority, DeviceIndex device) {
  device = checked(device);
  const int highest = std::get<1>(CUDAStream::priority_range());
  const auto p = static_cast<StreamId>(-std::clamp(priority, highest, 0));
  const StreamId turn = g_pools[device].next[static_cast<size_t>(p)].fetch_add(1) % kPerPool;
  const CUDAStream stream = stream_of(device, 1 + p * kPerPool + turn);
  stream.stream();  // made now, so that an error shows here
  return stream;
}

CUDAStream getStreamFromPool(bool isHighPriority, DeviceIndex device) {
  return getStreamFromPool(isHighPriority ? std::get<1>(CUDAStream::priority_range()) : 0, device);
}

CUDAStream getStreamFromExternal(StreamHandle ext_stream, DeviceIndex device_index) {
  const DeviceIndex device = checked(device_index);
  if (!ext_stream) return getDefaultCUDAStream(device);
  const std::lock_guard lock(g_mutex);
  std::vector<External>& all = external();
  size_t i = 0;
  while (i < all.size() && (all[i].handle != ext_stream || all[i].device != device)) ++i;
  if (i == all.size()) all.push_back({ext_stream, device});
  return stream_of(device, kFirstExternal + static_cast<StreamId>(i));
}

CUDAStream getDefaultCUDAStream(DeviceIndex device_index) { return stream_of(checked(device_index), 0); }

CUDAStream getCurrentCUDAStream(DeviceIndex device_index) {
  const DeviceIndex device = checked(device_index);
  return stream_of(device, t_current[device].id);
}

void setCurrentCUDAStream(CUDAStream stream) {
  t_current[checked(stream.device_index())] = {stream.id(), stream.stream()};
  t_any_chosen = true;
}

StreamHandle current_stream() { return t_any_chosen ? t_current[current_device()].handle : nullptr; }

std::ostream& operator<<(std::ostream& out, const CUDAStream& stream) {
  return out << to_string(stream.unwrap());
}

}  // namespace gb::cuda
