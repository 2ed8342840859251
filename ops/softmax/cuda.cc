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

// `t` with dimension `dim` last; applied to such a result, the way back.
Tensor with_last(const Tensor& t, int64_t dim) { return dim + 1 < t.dim() ? transpose(t, dim, -1) : t; }

// The tensor as rows of a matrix: elements of a row side by side, `stride` elements from row to row. A matrix with
// longer rows, cut to some of its columns, is one as it is; what is not is copied.
struct Rows {
  Tensor tensor;
  int64_t rows, cols, stride;

  explicit Rows(Tensor t) : tensor(std::move(t)) {
    cols = tensor.dim() == 0 ? 1 : tensor.sizes().back();
    rows = cols == 0 ? 0 : tensor.numel() / cols;
    stride = cols;
    if (tensor.is_contiguous()) return;
    if (tensor.dim() == 2 && tensor.stride(1) == 1 && tensor.stride(0) >= cols)
      stride = tensor.stride(0);
    else
      tensor = tensor.contiguous();
  }
};

Tensor forward_cuda(const char* name, bool log, const Tensor& self, int64_t dim_, bool half_to_float) {
  const int64_t dim = check_softmax(name, self, dim_, half_to_float);
  const cuda::DeviceGuard guard(self.device());
  const bool last = dim + 1 >= self.dim();
  const Rows in(with_last(half_to_float ? self.to(kFloat) : self, dim));
  Tensor result = empty_on(self.device(), in.tensor.sizes(), in.tensor.scalar_type());
  cuda::softmax({in.tensor.scalar_type(), log, result.mutable_data_ptr(), in.tensor.const_data_ptr(), in.rows, in.cols,
                 in.stride, cuda::current_stream()});
  return last ? result : with_last(result, dim).contiguous();
}

Tensor backward_cuda(const char* name, bool log, const Tensor& grad_output, const Tensor& output, int64_t dim_,
                     ScalarType input_dtype) {
  const int64_t dim = check_softmax_backward(name, grad_output, output, dim_, input_dtype);
  const cuda::DeviceGuard guard(output.device());
  const Rows grad(with_last(grad_output, dim));
  const Tensor y = with_last(output, dim).contiguous();
  Tensor result = empty_on(output.device(), y.sizes(), y.scalar_type());
  cuda::softmax_backward({y.scalar_type(), log, result.mutable_data_ptr(), grad.tensor.const_data_ptr(),
                          y.const_data_ptr(), grad.rows, grad.cols, grad.stride, cuda::current_stream()});
  if (dim + 1 < output.dim()) result = with_last(result, dim).contiguous();
  return input_dtype == result.scalar_type() ? result : result.to(input_dtype);
}

Tensor softmax_cuda(const Tensor& self, int64_t dim, bool half_to_float) {
  return forward_cuda("_softmax", false, self, dim, half_to_float);
}
Tensor softmax_backward_cuda(const Tensor& grad_output, const Tensor& output, int64_t dim, ScalarType input_dtype) {
  return backward_cuda("_softmax_backward_data", false, grad_output, output, dim, input_dtype);
}
Tensor log_softmax_cuda(const Tensor& self, int64_t dim, bool half_to_float) {
  return forward_cuda("_log_softmax", true, self, dim, half_to_float);
}
Tensor log_softmax_backward_cuda(const Tensor& grad_output, const Tensor& output, int64_t dim,
                                 ScalarType input_dtype) {
  return backward_cuda("_log_softmax_backward_data", true, grad_output, output, dim, input_dtype);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("_softmax", GB_FN(softmax_cuda));
  m.impl("_softmax_backward_data", GB_FN(softmax_backward_cuda));
  m.impl("_log_softmax", GB_FN(log_softmax_cuda));
  m.impl("_log_softmax_backward_data", GB_FN(log_softmax_backward_cuda));
}

}  // namespace gb
