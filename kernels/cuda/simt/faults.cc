// Kernels with one planted fault each, for faults_test.py: faults NAME launches one. The line that carries
// the fault has the comment `fault: NAME`, or two lines `fault: NAME, 1` and `, 2`, and must stand in the
// report.
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "core/error.h"
#include "kernels/cuda/launch.h"

namespace {

constexpr int kThreads = 64;
constexpr gb::cuda::StreamHandle kStream = nullptr;

__global__ void global_range_kernel(float* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i <= n) out[i] = 1;  // fault: global_range
}

__global__ void dynamic_range_kernel(float* out) {
  GB_EXTERN_SHARED(float, tile);
  tile[threadIdx.x + 1] = 1;  // fault: dynamic_range
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

template <int kSize>
__global__ void static_range_kernel(float* out) {
  __shared__ float tile[kSize];
  float* next = tile + 1;
  next[threadIdx.x] = 1;  // fault: static_range
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// Thread 63 writes into the next row: inside the array, so only the bounds of the row tell.
__global__ void row_range_kernel(float* out) {
  __shared__ float tile[2][kThreads];
  const unsigned next = threadIdx.x + 1;
  tile[0][next] = 1;  // fault: row_range
  __syncthreads();
  out[threadIdx.x] = tile[0][threadIdx.x];
}

// Reads of 16 bytes need an address that 16 divides.
__global__ void alignment_kernel(float* out, const float* in) {
  const float4 v = *reinterpret_cast<const float4*>(in + threadIdx.x);  // fault: alignment
  out[threadIdx.x] = v.x;
}

// [anchor: race]
__global__ void race_kernel(float* out) {
  __shared__ float race_tile[kThreads];
  race_tile[threadIdx.x] = 1;                      // fault: race, 1
  out[threadIdx.x] = race_tile[threadIdx.x ^ 32];  // fault: race, 2
}

__global__ void dynamic_race_kernel(float* out) {
  GB_EXTERN_SHARED(float, tile);
  tile[threadIdx.x] = 1;  // fault: dynamic_race, 1
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % kThreads];  // fault: dynamic_race, 2
  tile[threadIdx.x] = 2;                                  // fault: dynamic_race, 3
}

// A shuffle exchanges values and orders nothing else.
__global__ void no_fence_kernel(float* out) {
  __shared__ float lanes[32];
  lanes[threadIdx.x] = 1;  // fault: no_fence, 1
  __shfl_xor_sync(0xffffffffu, 1, 1);
  out[threadIdx.x] = lanes[threadIdx.x ^ 1];  // fault: no_fence, 2
}

// Every thread writes the same value: no order of threads shows it.
__global__ void same_value_kernel(float* out) {
  out[0] = 1;  // fault: same_value
}

template <int kSize>
__global__ void static_unwritten_kernel(float* out) {
  __shared__ float tile[kSize];
  if (threadIdx.x != 37) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  // fault: static_unwritten
}

// The first block leaves its values to the second, on the host; a GPU does not promise that.
__global__ void from_last_block_kernel(float* out) {
  GB_EXTERN_SHARED(float, tile);
  if (blockIdx.x == 0) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  // fault: from_last_block
}

// A thread's stack has a guard page below.
__global__ void stack_kernel(float* out, int depth) {
  volatile float frame[1024];
  frame[0] = static_cast<float>(depth);
  if (depth < 1000) stack_kernel(out, depth + 1);
  out[0] += frame[0];
}

// No fault: shared memory with barriers, warps with __syncwarp, vectors of 16 bytes, atomics. Two blocks.
__global__ void good_kernel(float* out) {
  alignas(16) __shared__ float tile[kThreads];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  tile[threadIdx.x] = 1;
  __syncwarp();
  const float neighbour = tile[threadIdx.x ^ 1];
  __syncthreads();
  atomicAdd(&count, 1);
  const float4 v = reinterpret_cast<const float4*>(tile)[threadIdx.x / 4];
  __syncthreads();
  out[threadIdx.x] = neighbour + v.x + v.w + static_cast<float>(count);
}

void run(const std::string& name) {
  const auto memory = std::make_unique<float[]>(kThreads);  // exactly so long
  float* out = memory.get();
  const size_t bytes = kThreads * sizeof(float);
  if (name == "global_range") GB_LAUNCH((global_range_kernel), 1, kThreads + 1, 0, kStream, out, kThreads);
  if (name == "dynamic_range") GB_LAUNCH((dynamic_range_kernel), 1, kThreads, bytes, kStream, out);
  if (name == "static_range") GB_LAUNCH((static_range_kernel<kThreads>), 1, kThreads, 0, kStream, out);
  if (name == "row_range") GB_LAUNCH((row_range_kernel), 1, kThreads, 0, kStream, out);
  if (name == "alignment") GB_LAUNCH((alignment_kernel), 1, 8, 0, kStream, out + 32, out);
  if (name == "race") GB_LAUNCH((race_kernel), 1, kThreads, 0, kStream, out);
  if (name == "dynamic_race") GB_LAUNCH((dynamic_race_kernel), 1, kThreads, bytes, kStream, out);
  if (name == "no_fence") GB_LAUNCH((no_fence_kernel), 1, 32, 0, kStream, out);
  if (name == "same_value") GB_LAUNCH((same_value_kernel), 1, kThreads, 0, kStream, out);
  if (name == "static_unwritten")
    GB_LAUNCH((static_unwritten_kernel<kThreads>), 1, kThreads, 0, kStream, out);
  if (name == "from_last_block") GB_LAUNCH((from_last_block_kernel), 2, kThreads, bytes, kStream, out);
  if (name == "stack") GB_LAUNCH((stack_kernel), 1, 2, 0, kStream, out, 0);
  if (name == "good") GB_LAUNCH((good_kernel), 2, kThreads, 0, kStream, out);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "good");
  } catch (const gb::Error& e) {
    std::printf("%s\n", e.what_without_backtrace());
    return 3;
  }
  std::printf("no fault found\n");
}
