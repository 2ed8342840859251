#include "dispatcher/library.h"
#include "kernels/cpu/softmax.h"
#include "ops/common/empty.h"
#include "ops/softmax/checks.h"
#include "ops/softmax/softmax.h"

namespace gb {
namespace {

Tensor softmax_cpu(const Tensor& self, int64_t dim, bool half_to_float) {
  const SoftmaxSizes n(self.sizes(), check_softmax(self, dim, half_to_float));
  const Tensor input = self.is_contiguous() ? self : self.contiguous();
  Tensor result = empty_cpu(self.sizes(), self.scalar_type());
  cpu::softmax(self.scalar_type(), result.mutable_data_ptr(), input.const_data_ptr(), n.outer, n.dim,
               n.inner);
  return result;
}

Tensor softmax_backward_cpu(const Tensor& grad_output, const Tensor& output, int64_t dim,
                            ScalarType input_dtype) {
  const SoftmaxSizes n(output.sizes(), check_softmax_backward(grad_output, output, dim, input_dtype));
  const Tensor grad = grad_output.is_contiguous() ? grad_output : grad_output.contiguous();
  const Tensor y = output.is_contiguous() ? output : output.contiguous();
  Tensor result = empty_cpu(output.sizes(), output.scalar_type());
  cpu::softmax_backward(output.scalar_type(), result.mutable_data_ptr(), grad.const_data_ptr(),
                        y.const_data_ptr(), n.outer, n.dim, n.inner);
  return input_dtype == output.scalar_type() ? result : result.to(input_dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("_softmax", GB_FN(softmax_cpu));
  m.impl("_softmax_backward_data", GB_FN(softmax_backward_cpu));
}

}  // namespace gb
