#include "nn/embedding.h"

#include <fmt/format.h>

#include "core/error.h"
#include "nn/init.h"
#include "ops/common/empty.h"
#include "ops/embedding/embedding.h"

namespace gb::nn {

EmbeddingImpl::EmbeddingImpl(EmbeddingOptions o) : Module("Embedding"), options(o) {
  GB_CHECK_OR_THROW(
      o.num_embeddings() >= 0 && o.embedding_dim() >= 0, ValueError,
      .what = fmt::format("nn::Embedding({}, {}): sizes must not be negative", o.num_embeddings(), o.embedding_dim()),
      .cause = "they are the two sizes of the weight", .repair = "give sizes of 0 or more", .chapter = chapters::kTensors);
  weight = register_parameter("weight", empty_cpu({o.num_embeddings(), o.embedding_dim()}, kFloat));
  reset_parameters();
}

void EmbeddingImpl::reset_parameters() { init::normal_(weight); }

Tensor EmbeddingImpl::forward(const Tensor& indices) const { return gb::embedding(weight, indices); }

}  // namespace gb::nn
