#include "kernels/cuda/check.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace gb::cuda {
namespace {

const char* repair_for(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
      return "free tensors, call gb::cuda::empty_cache, or use smaller ones";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
      return "run on a machine with an NVIDIA GPU and its driver, or use the CPU";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return "this binary has code for compute capability 8.0 and up (see third_party/cuda/defs.bzl)";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
      return "GB_LAUNCH_BLOCKING=1 shows the fault at the launch of the kernel that causes it; "
             "compute-sanitizer names "
             "the line";
    default:
      return "GB_LAUNCH_BLOCKING=1 makes faults show at the launch that causes them";
  }
}

[[noreturn]] void throw_launch_error(cudaError_t code, const KernelLaunch& launch, const char* what) {
  const std::string text = fmt::format("{} {} ({}:{}: {})", what, kernel_name(launch), launch.file,
                                       launch.line, configuration(launch));
  throw_cuda_error(code, text.c_str(),
                   SourceLocation{launch.kernel, launch.file, static_cast<uint32_t>(launch.line)});
}

// Beyond 48 KiB a kernel must be told once, per device, that it may have as much.
void allow_shared_memory(const KernelLaunch& launch, const void* function) {
  static std::mutex mutex;
  static auto* allowed = new std::map<std::pair<const void*, int>, size_t>;
  int device = 0;
  GB_CUDA_CHECK(cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  size_t& bytes = (*allowed)[{function, device}];
  if (launch.shared_bytes <= bytes) return;
  const cudaError_t code = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                static_cast<int>(launch.shared_bytes));
  if (code != cudaSuccess) throw_launch_error(code, launch, "more than 48 KiB of shared memory for kernel");
  bytes = launch.shared_bytes;
}

}  // namespace

void throw_cuda_error(cudaError_t code, const char* call, SourceLocation location) {
  cudaGetLastError();  // the error is told here: the next launch must not report it once more
  ErrorParts parts{
      .what = fmt::format("CUDA error: {}", cudaGetErrorName(code)),
      .cause = fmt::format("{}: {} (code {})", call, cudaGetErrorString(code), static_cast<int>(code)),
      .repair = repair_for(code),
      .chapter = chapters::kKernels};
  if (code == cudaErrorMemoryAllocation) throw OutOfMemoryError(location, parts);
  if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver)
    throw NotImplementedError(location, parts);
  throw Error(location, parts);
}

const DeviceFacts& device_facts() {
  constexpr int kMostDevices = 64;
  static std::atomic<const DeviceFacts*> known[kMostDevices];
  int device = 0;
  GB_CUDA_CHECK(cudaGetDevice(&device));
  std::atomic<const DeviceFacts*>& slot = known[device % kMostDevices];
  if (const DeviceFacts* facts = slot.load(std::memory_order_acquire)) return *facts;
  const auto read = [device](cudaDeviceAttr attribute) {
    int value = 0;
    GB_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return static_cast<unsigned>(value);
  };
  // Kept for ever; two threads that come at the same time read the same twice.
  const auto* facts = new DeviceFacts{
      {read(cudaDevAttrMaxThreadsPerBlock),
       {read(cudaDevAttrMaxBlockDimX), read(cudaDevAttrMaxBlockDimY), read(cudaDevAttrMaxBlockDimZ)},
       {read(cudaDevAttrMaxGridDimX), read(cudaDevAttrMaxGridDimY), read(cudaDevAttrMaxGridDimZ)},
       read(cudaDevAttrMaxSharedMemoryPerBlockOptin)},
      static_cast<int>(read(cudaDevAttrMultiProcessorCount)),
      static_cast<int>(read(cudaDevAttrComputeCapabilityMajor))};
  slot.store(facts, std::memory_order_release);
  return *facts;
}

void before_launch(const KernelLaunch& launch, const void* function) {
  check_launch_configuration(launch, device_facts().limits);
  // What the kernel declares itself counts, too: a few KiB at most.
  if (launch.shared_bytes > kSharedByDefault - 8 * 1024) [[unlikely]]
    allow_shared_memory(launch, function);
  report_kernel_launch(launch);
}

void after_launch(const KernelLaunch& launch, cudaStream_t stream) {
  static const bool blocking = [] {
    const char* value = std::getenv("GB_LAUNCH_BLOCKING");
    return value && *value && std::string_view(value) != "0";
  }();
  if (cudaError_t code = cudaGetLastError(); code != cudaSuccess)
    throw_launch_error(code, launch, "launch of kernel");
  if (!blocking) return;
  if (cudaError_t code = cudaStreamSynchronize(stream); code != cudaSuccess)
    throw_launch_error(code, launch, "run of kernel");
}

}  // namespace gb::cuda
