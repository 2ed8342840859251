#include "kernels/cuda/runtime/cuda_memory.h"

#include <utility>

#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/event.h"

namespace gb::cuda {
namespace {

// Blocks are given back in destructors, which cannot throw. After a fault in a kernel every call fails: then
// no work is left that could use the memory, and the fault itself is reported by the next call that may
// throw.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    cudaGetDevice(&before_);
    cudaSetDevice(device);
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

struct Mark {
  DeviceIndex device;
  EventHandle event;
};

void* checked(void* memory, cudaError_t code) {
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // the error is dealt with: the next launch must not report it
    return nullptr;
  }
  GB_CUDA_CHECK(code);
  return memory;
}

}  // namespace

CudaMemory::Event CudaMemory::record(const Stream& stream) {
  const OnDevice guard(stream.device_index());
  std::vector<Event>& kept = kept_[static_cast<size_t>(stream.device_index())];
  Mark* mark;
  if (kept.empty()) {
    mark = new Mark{stream.device_index(), nullptr};
    cudaEventCreateWithFlags(&mark->event, cudaEventDisableTiming);
  } else {
    mark = static_cast<Mark*>(kept.back());
    kept.pop_back();
  }
  cudaEventRecord(mark->event, CUDAStream(CUDAStream::UNCHECKED, stream).stream());
  return mark;
}

bool CudaMemory::has_passed(Event event) {
  const cudaError_t code = cudaEventQuery(static_cast<Mark*>(event)->event);
  if (code == cudaErrorNotReady) cudaGetLastError();  // an answer, not a fault
  return code != cudaErrorNotReady;
}

void CudaMemory::wait(Event event) { cudaEventSynchronize(static_cast<Mark*>(event)->event); }

void CudaMemory::forget(Event event) {
  kept_[static_cast<size_t>(static_cast<Mark*>(event)->device)].push_back(event);
}

void* DeviceMemory::allocate(size_t bytes) {
  const CUDAGuard guard(device_);
  void* memory = nullptr;
  const cudaError_t code = cudaMalloc(&memory, bytes);
  return checked(memory, code);
}

void DeviceMemory::release(void* memory) {
  const OnDevice guard(device_);
  cudaFree(memory);  // waits for the work that still uses it
}

void* PinnedMemory::allocate(size_t bytes) {
  void* memory = nullptr;
  const cudaError_t code = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);  // pinned for all devices
  return checked(memory, code);
}

void PinnedMemory::release(void* memory) { cudaFreeHost(memory); }

}  // namespace gb::cuda
