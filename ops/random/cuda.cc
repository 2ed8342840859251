// Draws on the GPU. The kernels of the operators are those of every device; only the drawing is here.
#include "kernels/cuda/random/random.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/random/draw_kernel.h"

namespace gb {
namespace {

void draw_cuda(const Tensor& self, const RandomNumbers& numbers, const Drawing& drawing) {
  cpu::Dims<1> it;  // in row-major order, whatever the strides
  for (int64_t d = 0; d < self.dim(); ++d) it.push(self.size(d), {self.stride(d)});
  const cuda::DeviceGuard guard(self.device());
  cuda::fill_random(self.scalar_type(), self.mutable_data_ptr(), it, numbers.seed, numbers.first,
                    drawing, cuda::current_stream());
}
const RegisterDrawKernel kRegistered(kCUDA, &draw_cuda);

}  // namespace
}  // namespace gb
