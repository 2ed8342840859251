#include "dispatcher/library.h"
#include "kernels/cpu/embedding.h"
#include "ops/common/empty.h"
#include "ops/embedding/checks.h"
#include "ops/embedding/embedding.h"
#include "ops/gather/checks.h"

namespace gb {
namespace {

Tensor embedding_cpu(const Tensor& weight, const Tensor& indices, int64_t, bool, bool) {
  const std::vector<int64_t> sizes = check_embedding(weight, indices);
  const Tensor table = weight.strides()[1] == 1 || weight.sizes()[1] <= 1 ? weight : weight.contiguous();
  const Tensor index = as_int64(indices);
  Tensor result = empty_cpu(sizes, weight.scalar_type());
  check_indices("embedding",
                cpu::embedding(weight.scalar_type(), result.mutable_data_ptr(), table.const_data_ptr(),
                               table.sizes()[0], table.sizes()[1], table.strides()[0],
                               index.const_data_ptr<int64_t>(), index.numel()),
                0, weight.sizes()[0]);
  return result;
}

Tensor embedding_dense_backward_cpu(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                    int64_t padding_idx, bool scale_grad_by_freq) {
  check_embedding_backward(grad_output, indices, num_weights);
  const Tensor grad = grad_output.contiguous(), index = as_int64(indices);
  const int64_t dim = grad.sizes().back();
  Tensor result = empty_cpu({num_weights, dim}, grad.scalar_type());
  check_indices(
      "embedding_dense_backward",
      cpu::embedding_dense_backward(grad.scalar_type(), result.mutable_data_ptr(), grad.const_data_ptr(),
                                    index.const_data_ptr<int64_t>(), index.numel(), num_weights, dim,
                                    padding_idx, scale_grad_by_freq),
      0, num_weights);
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("embedding", GB_FN(embedding_cpu));
  m.impl("embedding_dense_backward", GB_FN(embedding_dense_backward_cpu));
}

}  // namespace gb
