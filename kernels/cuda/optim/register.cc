// Registers the fused kernels for CUDA at program start.
#include "kernels/cuda/optim/optim.h"
#include "kernels/cuda/runtime/runtime.h"
#include "kernels/optim/fused.h"

namespace gb::optim {
namespace {

void adamw_cuda(Device device, ScalarType dtype, const cpu::AdamWArrays& arrays, int64_t n, const cpu::AdamWStep& step) {
  const cuda::DeviceGuard guard(device);
  cuda::adamw(dtype, arrays, n, step, cuda::current_stream());
}
void sgd_cuda(Device device, ScalarType dtype, const cpu::SgdArrays& arrays, int64_t n, const cpu::SgdStep& step) {
  const cuda::DeviceGuard guard(device);
  cuda::sgd(dtype, arrays, n, step, cuda::current_stream());
}
constexpr FusedKernels kKernels{&adamw_cuda, &sgd_cuda};
const RegisterFusedKernels kRegistered(kCUDA, &kKernels);

}  // namespace
}  // namespace gb::optim
