#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/softmax/checks.h"
#include "ops/softmax/softmax.h"

namespace gb {
namespace {

Tensor forward_meta(const char* op, const Tensor& self, int64_t dim, bool half_to_float) {
  check_softmax(op, self, dim, half_to_float);
  return empty_on(self.device(), self.sizes(), half_to_float ? kFloat : self.scalar_type());
}
Tensor backward_meta(const char* op, const Tensor& grad_output, const Tensor& output, int64_t dim,
                     ScalarType input_dtype) {
  check_softmax_backward(op, grad_output, output, dim, input_dtype);
  return empty_on(output.device(), output.sizes(), input_dtype);
}

Tensor softmax_meta(const Tensor& self, int64_t dim, bool half_to_float) {
  return forward_meta("_softmax", self, dim, half_to_float);
}
Tensor softmax_backward_meta(const Tensor& grad_output, const Tensor& output, int64_t dim,
                             ScalarType input_dtype) {
  return backward_meta("_softmax_backward_data", grad_output, output, dim, input_dtype);
}
Tensor log_softmax_meta(const Tensor& self, int64_t dim, bool half_to_float) {
  return forward_meta("_log_softmax", self, dim, half_to_float);
}
Tensor log_softmax_backward_meta(const Tensor& grad_output, const Tensor& output, int64_t dim,
                                 ScalarType input_dtype) {
  return backward_meta("_log_softmax_backward_data", grad_output, output, dim, input_dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("_softmax", GB_FN(softmax_meta));
  m.impl("_softmax_backward_data", GB_FN(softmax_backward_meta));
  m.impl("_log_softmax", GB_FN(log_softmax_meta));
  m.impl("_log_softmax_backward_data", GB_FN(log_softmax_backward_meta));
}

}  // namespace gb
