// As cpu.cc, on a GPU; indices are checked by a kernel of their own, whose answer the host waits for.
#include "dispatcher/library.h"
#include "kernels/cuda/index/index.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/embedding/checks.h"
#include "ops/embedding/embedding.h"
#include "ops/gather/cuda_indices.h"

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
  const cuda::DeviceGuard guard(grad_output.device());
  const int64_t dim = grad_output.sizes().back();
  const Tensor grad = grad_output.contiguous(), index = as_int64(indices).contiguous();
  if (index.numel() > 0) check_indices_cuda("embedding_dense_backward", index, 0, num_weights);
  Tensor result = empty_on(grad.device(), {num_weights, dim}, grad.scalar_type());
  cuda::embedding_dense_backward(grad.scalar_type(), result.mutable_data_ptr(), grad.const_data_ptr(),
                                 index.const_data_ptr<int64_t>(), index.numel(), num_weights, dim, padding_idx,
                                 scale_grad_by_freq, cuda::current_stream());
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("embedding", GB_FN(embedding_cuda));
  m.impl("embedding_dense_backward", GB_FN(embedding_dense_backward_cuda));
}

}  // namespace gb
