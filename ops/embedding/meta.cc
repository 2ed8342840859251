#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/embedding/checks.h"
#include "ops/embedding/embedding.h"

namespace gb {
namespace {

Tensor embedding_meta(const Tensor& weight, const Tensor& indices, int64_t, bool, bool) {
  return empty_on(weight.device(), check_embedding(weight, indices), weight.scalar_type());
}

Tensor embedding_dense_backward_meta(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                     int64_t, bool) {
  check_embedding_backward(grad_output, indices, num_weights);
  return empty_on(grad_output.device(), {num_weights, grad_output.sizes().back()}, grad_output.scalar_type());
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("embedding", GB_FN(embedding_meta));
  m.impl("embedding_dense_backward", GB_FN(embedding_dense_backward_meta));
}

}  // namespace gb
