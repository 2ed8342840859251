// The CUDA kernels.
#include "dispatcher/library.h"
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/cuda_kernels.h"
#include "ops/pointwise/kernels.h"

namespace gb {
namespace {

void choose_cuda(ScalarType dtype, void* out, const bool* condition, const void* a, const void* b,
                 const cpu::Strided<4>& space, Device device) {
  const cuda::DeviceGuard guard(device);
  cuda::where(dtype, out, condition, a, b, space, cuda::current_stream());
}

Tensor where_cuda(const Tensor& condition, const Tensor& self, const Tensor& other) {
  return where_by(&choose_cuda, condition, self, other);
}
Tensor masked_fill_cuda(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return masked_fill_by(&choose_cuda, self, mask, value);
}
Tensor& masked_fill__cuda(Tensor& self, const Tensor& mask, const Tensor& value) {
  return masked_fill_by_(&choose_cuda, self, mask, value);
}
Tensor& clamp__cuda(Tensor& self, OptionalTensor min, OptionalTensor max) {
  return clamp_by_(&binary_kernel_cuda, self, min, max);
}
Tensor& clamp__scalar_cuda(Tensor& self, OptionalScalar min, OptionalScalar max) {
  return clamp__cuda(self, wrapped_or_none(min), wrapped_or_none(max));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("where.self", GB_FN(where_cuda));
  m.impl("masked_fill.Tensor", GB_FN(masked_fill_cuda));
  m.impl("masked_fill_.Tensor", GB_FN(masked_fill__cuda));
  m.impl("maximum", GB_FN(binary_cuda<BinaryOp::Maximum>));
  m.impl("minimum", GB_FN(binary_cuda<BinaryOp::Minimum>));
  m.impl("clamp_.Tensor", GB_FN(clamp__cuda));
  m.impl("clamp_", GB_FN(clamp__scalar_cuda));
  m.impl("clamp_min_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Maximum>));
  m.impl("clamp_max_.Tensor", GB_FN(binary_inplace_cuda<BinaryOp::Minimum>));
}

}  // namespace gb
