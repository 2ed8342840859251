#include "ops/common/cuda_kernels.h"

#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb {

void binary_kernel_cuda(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b,
                        const cpu::Strided<3>& space, cpu::ScalarArg alpha, Device device) {
  const cuda::DeviceGuard guard(device);
  cuda::binary(op, dtype, out, a, b, space, alpha, cuda::current_stream());
}

void unary_kernel_cuda(UnaryOp op, ScalarType dtype, void* out, const void* a, const cpu::Strided<2>& space,
                       Device device) {
  const cuda::DeviceGuard guard(device);
  cuda::unary(op, dtype, out, a, space, cuda::current_stream());
}

}  // namespace gb
