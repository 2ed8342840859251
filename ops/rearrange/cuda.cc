// As kernels.cc, on a GPU.
#include "dispatcher/library.h"
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/rearrange/flip.h"

namespace gb {
namespace {

Tensor flip_cuda(const Tensor& self, IntArrayRef dims) {
  const Tensor result = flip_result(self, dims);
  if (self.numel() == 0) return result;
  const cuda::DeviceGuard guard(self.device());
  const FlipCopy copy(result, self, dims);
  cuda::copy(self.scalar_type(), result.mutable_data_ptr(), self.scalar_type(), copy.from, copy.space,
             cuda::current_stream());
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("flip", GB_FN(flip_cuda)); }

}  // namespace gb
