#include "kernels/cuda/check.h"

#include <fmt/format.h>

#include <string>

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
      return "run the program under compute-sanitizer: it names the kernel and the line";
    default:
      return "CUDA_LAUNCH_BLOCKING=1 makes errors show at the call that causes them";
  }
}

}  // namespace

void throw_cuda_error(cudaError_t code, const char* call, SourceLocation location) {
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

void check_launch(const char* kernel, SourceLocation location) {
  const cudaError_t code = cudaGetLastError();  // `kernel` comes in GB_LAUNCH's parentheses
  if (code != cudaSuccess)
    throw_cuda_error(code, fmt::format("launch of kernel {}", kernel).c_str(), location);
}

}  // namespace gb::cuda
