// EmbeddingBackward0: each chosen row gets the gradients of all places it was copied to. Its own gradient
// (EmbeddingDenseBackwardBackward0) is an embedding again: of the table of second gradients, but for the
// padding row.
#include "ops/common/record.h"
#include "ops/embedding/embedding.h"
#include "ops/t/t.h"

namespace gb::autograd {
namespace {

struct EmbeddingBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    return {embedding_backward(grads[0], indices_.unpack(), num_weights_, padding_idx_,
                               scale_grad_by_freq_, sparse_)};
  }
  std::string name() const override { return "EmbeddingBackward0"; }
  void release_variables() override { indices_.reset_data(); }
  std::vector<SavedField> saved() const override {
    return {{"indices", &indices_},
            {"padding_idx", std::to_string(padding_idx_)},
            {"scale_grad_by_freq", std::string(scale_grad_by_freq_ ? "True" : "False")}};
  }

  SavedVariable indices_;
  int64_t num_weights_ = 0, padding_idx_ = -1;
  bool scale_grad_by_freq_ = false, sparse_ = false;
};

struct EmbeddingDenseBackwardBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    const Tensor indices = indices_.unpack();
    GB_CHECK_OR_THROW(
        !scale_grad_by_freq_, NotImplementedError,
        .what = "gb::embedding_dense_backward: no gradient with scale_grad_by_freq",
        .cause = "the gradient of an embedding that scales by frequency is differentiated again",
        .repair = "leave scale_grad_by_freq out of a double backward", .chapter = chapters::kAutograd);
    const Tensor chosen = embedding(grads[0], indices);
    if (padding_idx_ < 0) return {chosen};
    return {chosen.mul(unsqueeze(indices.ne(padding_idx_), -1))};
  }
  std::string name() const override { return "EmbeddingDenseBackwardBackward0"; }
  void release_variables() override { indices_.reset_data(); }
  std::vector<SavedField> saved() const override {
    return {{"indices", &indices_}, {"padding_idx", std::to_string(padding_idx_)}};
  }

  SavedVariable indices_;
  int64_t padding_idx_ = -1;
  bool scale_grad_by_freq_ = false;
};

Tensor embedding_autograd(DispatchKeySet ks, const Tensor& weight, const Tensor& indices, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse) {
  auto grad_fn = make_node<EmbeddingBackward0>(weight);
  if (grad_fn && weight.dim() == 2) {  // else the kernel throws
    grad_fn->indices_ = SavedVariable(indices, false);
    grad_fn->num_weights_ = weight.sizes()[0];
    grad_fn->padding_idx_ = padding_idx;
    grad_fn->scale_grad_by_freq_ = scale_grad_by_freq;
    grad_fn->scale_grad_by_freq_ = scale_grad_by_freq;
    grad_fn->sparse_ = sparse;
  }
  return record(grad_fn, [&] {
    return embedding_op().redispatch(ks & after_autograd_keyset, weight, indices, padding_idx,
                                     scale_grad_by_freq, sparse);
  });
}

Tensor embedding_dense_backward_autograd(DispatchKeySet ks, const Tensor& grad_output, const Tensor& indices,
                                         int64_t num_weights, int64_t padding_idx, bool scale_grad_by_freq) {
  auto grad_fn = make_node<EmbeddingDenseBackwardBackward0>(grad_output);
  if (grad_fn) {
    grad_fn->indices_ = SavedVariable(indices, false);
    grad_fn->padding_idx_ = padding_idx;
  }
  return record(grad_fn, [&] {
    return embedding_dense_backward_op().redispatch(ks & after_autograd_keyset, grad_output, indices,
                                                    num_weights, padding_idx, scale_grad_by_freq);
  });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("embedding", GB_FN(embedding_autograd));
  m.impl("embedding_dense_backward", GB_FN(embedding_dense_backward_autograd));
}

}  // namespace gb::autograd
