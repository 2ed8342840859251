// Are all indices of a CUDA tensor within bounds? A kernel cannot throw, so the check runs on the GPU first
// and the host waits for its answer (kernels/cuda/index/index.h says why).
#pragma once

#include <functional>

#include "core/tensor.h"
#include "kernels/cpu/gather.h"

namespace gb {

// REQUIRES index int64 on a CUDA device that is current. Throws IndexError in the words of the CPU kernels.
void check_indices_cuda(const char* op, const Tensor& index, int64_t dim, int64_t dim_size);

// What `find`, which launches a kernel on the current stream, writes to the device memory it is given.
cpu::BadIndex bad_index_from_gpu(Device device, const std::function<void(cpu::BadIndex*)>& find);

}  // namespace gb
