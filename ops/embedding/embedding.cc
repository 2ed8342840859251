#include "ops/embedding/embedding.h"

#include "dispatcher/library.h"
#include "ops/common/operator.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def(
      "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool "
      "sparse=False) -> Tensor");
  m.def(
      "embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, bool "
      "scale_grad_by_freq, "
      "bool sparse) -> Tensor");
  m.def(
      "embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, "
      "bool "
      "scale_grad_by_freq) -> Tensor");
}

const EmbeddingOp& embedding_op() {
  static const EmbeddingOp op = find_operator<EmbeddingOp>("aten::embedding", "");
  return op;
}
const EmbeddingBackwardOp& embedding_backward_op() {
  static const EmbeddingBackwardOp op = find_operator<EmbeddingBackwardOp>("aten::embedding_backward", "");
  return op;
}
const EmbeddingDenseBackwardOp& embedding_dense_backward_op() {
  static const EmbeddingDenseBackwardOp op =
      find_operator<EmbeddingDenseBackwardOp>("aten::embedding_dense_backward", "");
  return op;
}

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx, bool scale_grad_by_freq,
                 bool sparse) {
  GB_RETURN_CALL(embedding_op(), weight, indices, padding_idx, scale_grad_by_freq, sparse);
}
Tensor embedding_backward(const Tensor& grad, const Tensor& indices, int64_t num_weights, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse) {
  GB_RETURN_CALL(embedding_backward_op(), grad, indices, num_weights, padding_idx, scale_grad_by_freq, sparse);
}
Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                int64_t padding_idx, bool scale_grad_by_freq) {
  GB_RETURN_CALL(embedding_dense_backward_op(), grad_output, indices, num_weights, padding_idx,
                                            scale_grad_by_freq);
}

namespace {

Tensor embedding_backward_composite(const Tensor& grad, const Tensor& indices, int64_t num_weights,
                                    int64_t padding_idx, bool scale_grad_by_freq, bool sparse) {
  GB_CHECK_OR_THROW(!sparse, NotImplementedError,
                    .what = "gb::embedding_backward: sparse=True is not supported",
                    .cause = "there are no sparse tensors here",
                    .repair = "leave sparse out: the gradient is dense", .chapter = chapters::kAutograd);
  return embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("embedding_backward", GB_FN(embedding_backward_composite));
}

}  // namespace gb
