// There is no CUDA kernel of the backward's own: rows are added by scatter_add, whose order is not fixed.
#include <fmt/format.h>

#include "autograd/operators.h"
#include "dispatcher/library.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/embedding/checks.h"
#include "ops/embedding/embedding.h"
#include "ops/gather/cuda_indices.h"
#include "ops/t/t.h"

namespace gb {
namespace {

Tensor embedding_cuda(const Tensor& weight, const Tensor& indices, int64_t, bool, bool) {
  const std::vector<int64_t> sizes = check_embedding(weight, indices);
  const cuda::DeviceGuard guard(weight.device());
  const Tensor table = weight.strides()[1] == 1 || weight.sizes()[1] <= 1 ? weight : weight.contiguous();
  const Tensor index = as_int64(indices);
  if (index.numel() > 0) check_indices_cuda("embedding", index, 0, weight.sizes()[0]);
  Tensor result = empty_on(weight.device(), sizes, weight.scalar_type());
  cuda::embedding(weight.scalar_type(), result.mutable_data_ptr(), table.const_data_ptr(), table.sizes()[1],
                  table.strides()[0], index.const_data_ptr<int64_t>(), index.numel(), cuda::current_stream());
  return result;
}

Tensor embedding_dense_backward_cuda(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                     int64_t padding_idx, bool scale_grad_by_freq) {
  check_embedding_backward(grad_output, indices, num_weights);
  GB_CHECK_OR_THROW(
      !scale_grad_by_freq && padding_idx < 0, NotImplementedError,
      .what = "gb::embedding_dense_backward: padding_idx and scale_grad_by_freq are not supported on CUDA",
      .cause = fmt::format("padding_idx is {}, scale_grad_by_freq is {}", padding_idx, scale_grad_by_freq),
      .repair = "leave both out, or compute on the CPU", .chapter = chapters::kKernels);
  const int64_t dim = grad_output.sizes().back(), n = indices.numel();
  const Tensor index = unsqueeze(as_int64(indices).view({n}), 1).expand({n, dim});
  return autograd::ops::zeros({num_weights, dim}, grad_output.options())
      .scatter_add(0, index, grad_output.reshape({n, dim}));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("embedding", GB_FN(embedding_cuda));
  m.impl("embedding_dense_backward", GB_FN(embedding_dense_backward_cuda));
}

}  // namespace gb
