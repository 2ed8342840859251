#include "kernels/cuda/runtime/event.h"

#include <fmt/format.h>

#include "kernels/cuda/check.h"
#include "kernels/cuda/runtime/guard.h"

namespace gb::cuda {

CUDAEvent::~CUDAEvent() {
  if (event_) cudaEventDestroy(event_);  // needs no current device; a failure leaves nothing to do better
}

CUDAEvent& CUDAEvent::operator=(CUDAEvent&& other) noexcept {
  std::swap(flags_, other.flags_);
  std::swap(recorded_, other.recorded_);
  std::swap(device_index_, other.device_index_);
  std::swap(event_, other.event_);
  return *this;
}

void CUDAEvent::record() { record(getCurrentCUDAStream()); }

void CUDAEvent::recordOnce(const CUDAStream& stream) {
  if (!recorded_) record(stream);
}

void CUDAEvent::record(const CUDAStream& stream) {
  GB_CHECK_OR_THROW(!event_ || device_index_ == stream.device_index(), ValueError,
                    .what = "CUDAEvent: recorded on a stream of another device than its first",
                    .cause = fmt::format("the event belongs to cuda:{}, the stream to {}",
                                         static_cast<int>(device_index_), stream.device().str()),
                    .repair = "make an event of its own for each device", .chapter = chapters::kKernels);
  const CUDAGuard guard(stream.device_index());
  if (!event_) {
    GB_CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags_));
    device_index_ = stream.device_index();
  }
  GB_CUDA_CHECK(cudaEventRecord(event_, stream));
  recorded_ = true;
}

void CUDAEvent::block(const CUDAStream& stream) const {
  if (!event_) return;
  const CUDAGuard guard(stream.device_index());
  GB_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0));
}

bool CUDAEvent::query() const {
  if (!event_) return true;
  const cudaError_t code = cudaEventQuery(event_);
  if (code == cudaErrorNotReady) {
    cudaGetLastError();  // an answer, not a fault
    return false;
  }
  GB_CUDA_CHECK(code);
  return true;
}

void CUDAEvent::synchronize() const {
  if (event_) GB_CUDA_CHECK(cudaEventSynchronize(event_));
}

float CUDAEvent::elapsed_time(const CUDAEvent& other) const {
  GB_CHECK_OR_THROW(!((flags_ | other.flags_) & kDisableTiming), ValueError,
                    .what = "CUDAEvent: elapsed_time of an event without timing",
                    .cause = "CUDAEvent() has the flag kDisableTiming, which makes it cheap",
                    .repair = "make both with CUDAEvent(CUDAEvent::kDefault)", .chapter = chapters::kKernels);
  GB_CHECK_OR_THROW(recorded_ && other.recorded_, ValueError,
                    .what = "CUDAEvent: elapsed_time of an event that was not recorded",
                    .cause = fmt::format("this one {}, the other one {}", recorded_ ? "was" : "was not",
                                         other.recorded_ ? "was" : "was not"),
                    .repair = "record both events first", .chapter = chapters::kKernels);
  float milliseconds = 0;
  GB_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, other.event_));
  return milliseconds;
}

}  // namespace gb::cuda
