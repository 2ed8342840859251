#include "kernels/cuda/runtime/guard.h"

#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda {

DeviceIndex CUDAGuard::index_of_cuda(Device device) {
  GB_CHECK_OR_THROW(device.is_cuda(), ValueError, .what = "CUDAGuard: not a CUDA device",
                    .cause = device.str(), .repair = "give a device of type cuda",
                    .chapter = chapters::kKernels);
  return device.index();
}

CUDAGuard::CUDAGuard(DeviceIndex device_index)
    : original_(static_cast<DeviceIndex>(cuda::current_device())), current_(original_) {
  if (device_index != -1) set_index(device_index);
}

CUDAGuard::~CUDAGuard() {
  if (current_ != original_) cudaSetDevice(original_);  // it was current before, so this does not fail
}

void CUDAGuard::set_index(DeviceIndex device_index) {
  if (device_index == current_) return;
  GB_CUDA_CHECK(cudaSetDevice(device_index));
  current_ = device_index;
}

CUDAStreamGuard::CUDAStreamGuard(Stream stream)
    : original_(getCurrentCUDAStream()),
      device_(CUDAStream(stream).device()),
      original_of_device_(getCurrentCUDAStream(stream.device_index())),
      current_(CUDAStream::UNCHECKED, stream) {
  setCurrentCUDAStream(current_);
}

void CUDAStreamGuard::reset_stream(Stream stream) {
  const CUDAStream next(stream);
  setCurrentCUDAStream(original_of_device_);
  device_.set_device(next.device());
  original_of_device_ = getCurrentCUDAStream(next.device_index());
  current_ = next;
  setCurrentCUDAStream(current_);
}

}  // namespace gb::cuda
