#include "ops/gather/cuda_indices.h"

#include "core/device_hooks.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/gather/checks.h"

namespace gb {

void check_indices_cuda(const char* op, const Tensor& index, int64_t dim, int64_t dim_size) {
  cpu::Dims<1> it;
  for (size_t d = 0; d < index.sizes().size(); ++d) it.push(index.sizes()[d], {index.strides()[d]});
  const cpu::BadIndex bad = bad_index_from_gpu(index.device(), [&](cpu::BadIndex* answer) {
    cuda::find_bad_index(answer, index.const_data_ptr<int64_t>(), it, dim_size, cuda::current_stream());
  });
  check_indices(op, bad, dim, dim_size);
}

cpu::BadIndex bad_index_from_gpu(Device device, const std::function<void(cpu::BadIndex*)>& find) {
  const DataPtr answer = allocator_for(device)->allocate(sizeof(cpu::BadIndex));
  find(static_cast<cpu::BadIndex*>(answer.get()));
  cpu::BadIndex bad;
  device_hooks(kCUDA)->copy(&bad, kCPU, answer.get(), device, sizeof bad);
  return bad;
}

}  // namespace gb
