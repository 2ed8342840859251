#include "dispatcher/library.h"
#include "kernels/cpu/log_softmax.h"
#include "kernels/cpu/softmax.h"
#include "ops/common/empty.h"
#include "ops/softmax/checks.h"
#include "ops/softmax/softmax.h"

namespace gb {
namespace {

using Forward = decltype(cpu::softmax);
using Backward = decltype(cpu::softmax_backward);

[[gnu::always_inline]] inline Tensor forward_cpu(const char* op, Forward* kernel, const Tensor& self,
                                                 int64_t dim, bool half_to_float) {
  const SoftmaxSizes n(self.sizes(), check_softmax(op, self, dim, half_to_float));
  const Tensor input = self.is_contiguous() ? self : self.contiguous();
  Tensor result = empty_cpu(self.sizes(), self.scalar_type());
  kernel(self.scalar_type(), result.mutable_data_ptr(), input.const_data_ptr(), n.outer, n.dim, n.inner);
  return result;
}

[[gnu::always_inline]] inline Tensor backward_cpu(const char* op, Backward* kernel, const Tensor& grad_output,
                                                  const Tensor& output, int64_t dim, ScalarType input_dtype) {
  const SoftmaxSizes n(output.sizes(), check_softmax_backward(op, grad_output, output, dim, input_dtype));
  const Tensor grad = grad_output.is_contiguous() ? grad_output : grad_output.contiguous();
  const Tensor y = output.is_contiguous() ? output : output.contiguous();
  Tensor result = empty_cpu(output.sizes(), output.scalar_type());
  kernel(output.scalar_type(), result.mutable_data_ptr(), grad.const_data_ptr(), y.const_data_ptr(), n.outer,
         n.dim, n.inner);
  return input_dtype == output.scalar_type() ? result : result.to(input_dtype);
}

Tensor softmax_cpu(const Tensor& self, int64_t dim, bool half_to_float) {
  return forward_cpu("_softmax", &cpu::softmax, self, dim, half_to_float);
}
Tensor softmax_backward_cpu(const Tensor& grad_output, const Tensor& output, int64_t dim,
                            ScalarType input_dtype) {
  return backward_cpu("_softmax_backward_data", &cpu::softmax_backward, grad_output, output, dim,
                      input_dtype);
}
Tensor log_softmax_cpu(const Tensor& self, int64_t dim, bool half_to_float) {
  return forward_cpu("_log_softmax", &cpu::log_softmax, self, dim, half_to_float);
}
Tensor log_softmax_backward_cpu(const Tensor& grad_output, const Tensor& output, int64_t dim,
                                ScalarType input_dtype) {
  return backward_cpu("_log_softmax_backward_data", &cpu::log_softmax_backward, grad_output, output, dim,
                      input_dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("_softmax", GB_FN(softmax_cpu));
  m.impl("_softmax_backward_data", GB_FN(softmax_backward_cpu));
  m.impl("_log_softmax", GB_FN(log_softmax_cpu));
  m.impl("_log_softmax_backward_data", GB_FN(log_softmax_backward_cpu));
}

}  // namespace gb
