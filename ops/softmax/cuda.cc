// The CUDA kernels (a ladder: kernels/cuda/softmax) work on rows, so another dimension than the last is
// brought there by a transposed copy, and the result is brought back by another.
#include "dispatcher/library.h"
#include "kernels/cuda/runtime/runtime.h"
#include "kernels/cuda/softmax/softmax.h"
#include "ops/common/empty.h"
#include "ops/softmax/checks.h"
#include "ops/softmax/softmax.h"
#include "ops/t/t.h"

namespace gb {
namespace {

// `t` with dimension `dim` last, contiguous; applied to such a result, the way back.
Tensor with_last(const Tensor& t, int64_t dim) {
  return (dim + 1 < t.dim() ? transpose(t, dim, -1) : t).contiguous();
}

Tensor softmax_cuda(const Tensor& self, int64_t dim_, bool half_to_float) {
  const int64_t dim = check_softmax("_softmax", self, dim_, half_to_float);
  const cuda::DeviceGuard guard(self.device());
  const Tensor input = with_last(half_to_float ? self.to(kFloat) : self, dim);
  Tensor result = empty_on(self.device(), input.sizes(), input.scalar_type());
  const int64_t cols = self.dim() == 0 ? 1 : input.sizes().back();
  if (result.numel() > 0)
    cuda::softmax(input.scalar_type(), result.mutable_data_ptr(), input.const_data_ptr(),
                  result.numel() / cols, cols, cuda::current_stream());
  return with_last(result, dim);
}

Tensor softmax_backward_cuda(const Tensor& grad_output, const Tensor& output, int64_t dim_,
                             ScalarType input_dtype) {
  const int64_t dim =
      check_softmax_backward("_softmax_backward_data", grad_output, output, dim_, input_dtype);
  const cuda::DeviceGuard guard(output.device());
  const Tensor grad = with_last(grad_output, dim), y = with_last(output, dim);
  Tensor result = empty_on(output.device(), y.sizes(), y.scalar_type());
  const int64_t cols = output.dim() == 0 ? 1 : y.sizes().back();
  if (result.numel() > 0)
    cuda::softmax_backward(y.scalar_type(), result.mutable_data_ptr(), grad.const_data_ptr(),
                           y.const_data_ptr(), result.numel() / cols, cols, cuda::current_stream());
  result = with_last(result, dim);
  return input_dtype == result.scalar_type() ? result : result.to(input_dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("_softmax", GB_FN(softmax_cuda));
  m.impl("_softmax_backward_data", GB_FN(softmax_backward_cuda));
}

}  // namespace gb
