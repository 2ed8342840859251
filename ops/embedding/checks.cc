#include "ops/embedding/checks.h"

#include <fmt/format.h>

#include "ops/common/checks.h"

namespace gb {
namespace {

void check_index_dtype(const Tensor& indices, const char* op) {
  GB_CHECK_OR_THROW(
      indices.scalar_type() == kLong || indices.scalar_type() == kInt, Error,
      .what = fmt::format(
          "gb::{}: Expected tensor for argument 'indices' to have one of the following scalar types: "
          "Long, Int; but got {} instead",
          op, indices.toString()),
      .cause = fmt::format("indices has dtype {}", toString(indices.scalar_type())),
      .repair = "convert them: indices.to(kLong)", .chapter = chapters::kTensors);
}

}  // namespace

std::vector<int64_t> check_embedding(const Tensor& weight, const Tensor& indices) {
  check_defined(weight, "embedding", "weight");
  check_defined(indices, "embedding", "indices");
  GB_CHECK_OR_THROW(weight.dim() == 2, Error, .what = "gb::embedding: 'weight' must be 2-D",
                    .cause = fmt::format("it has sizes {}", to_string(weight.sizes())),
                    .repair = "give a table [num_embeddings, embedding_dim]", .chapter = chapters::kTensors);
  check_index_dtype(indices, "embedding");
  check_same_device_as(indices, weight.device(), "embedding");
  std::vector<int64_t> sizes = indices.sizes().vec();
  sizes.push_back(weight.sizes()[1]);
  return sizes;
}

void check_embedding_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights) {
  check_defined(grad_output, "embedding_dense_backward", "grad_output");
  check_defined(indices, "embedding_dense_backward", "indices");
  check_index_dtype(indices, "embedding_dense_backward");
  check_same_device_as(indices, grad_output.device(), "embedding_dense_backward");
  const IntArrayRef sizes = grad_output.sizes();
  GB_CHECK_OR_THROW(
      !sizes.empty() && sizes.slice(0, sizes.size() - 1) == indices.sizes() && num_weights >= 0, Error,
      .what =
          "gb::embedding_dense_backward: grad_output must have the sizes of indices and one dimension more",
      .cause = fmt::format("grad_output has sizes {}, indices has sizes {}, num_weights is {}",
                           to_string(sizes), to_string(indices.sizes()), num_weights),
      .repair = "pass the gradient of embedding's result", .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(isFloatingType(grad_output.scalar_type()), NotImplementedError,
                    .what = fmt::format("gb::embedding_dense_backward: not implemented for '{}'",
                                        toString(grad_output.scalar_type())),
                    .cause = "gradients are floating numbers", .repair = "convert grad_output",
                    .chapter = chapters::kAutograd);
}

}  // namespace gb
