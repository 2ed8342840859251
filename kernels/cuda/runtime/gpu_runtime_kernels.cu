#include "kernels/cuda/launch.h"
#include "kernels/cuda/runtime/gpu_runtime_kernels.h"

namespace gb::cuda::testing {
namespace {

__global__ void spin_kernel(int* out, int value, int64_t cycles) {
  const int64_t end = clock64() + cycles;
  while (clock64() < end) {
  }
  *out = value;
}

__global__ void write_nowhere_kernel() { *reinterpret_cast<volatile int*>(16) = 1; }

__global__ void sum_of_shared_kernel(int* out, unsigned bytes) {
  GB_EXTERN_SHARED(unsigned char, memory);  // [bytes]
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) memory[i] = 1;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (unsigned i = 0; i < bytes; ++i) sum += memory[i];
  *out = sum;
}

__global__ void nothing_kernel() {}

}  // namespace

void spin_then_write(int* out, int value, int64_t cycles, StreamHandle stream) {
  GB_LAUNCH((spin_kernel), 1, 1, 0, stream, out, value, cycles);
}
void write_nowhere(StreamHandle stream) { GB_LAUNCH((write_nowhere_kernel), 1, 1, 0, stream); }
void sum_of_shared(int* out, unsigned bytes, StreamHandle stream) {
  GB_LAUNCH((sum_of_shared_kernel), 1, 128, bytes, stream, out, bytes);
}
void launch_block_of(unsigned threads, StreamHandle stream) {
  GB_LAUNCH((nothing_kernel), 1, threads, 0, stream);
}

}  // namespace gb::cuda::testing
