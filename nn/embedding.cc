#include "nn/embedding.h"

#include <fmt/format.h>

#include <ostream>

#include "core/error.h"
#include "nn/init.h"
#include "ops/embedding/embedding.h"
#include "ops/factories/factories.h"

namespace gb::nn {

EmbeddingImpl::EmbeddingImpl(EmbeddingOptions o) : options(o) {
  GB_CHECK_OR_THROW(
      o.num_embeddings() >= 0 && o.embedding_dim() >= 0, ValueError,
      .what = fmt::format("nn::Embedding({}, {}): sizes must not be negative", o.num_embeddings(), o.embedding_dim()),
      .cause = "they are the two sizes of the weight", .repair = "give sizes of 0 or more", .chapter = chapters::kTensors);
  reset();
}

void EmbeddingImpl::reset() {
  weight = register_parameter("weight", empty({options.num_embeddings(), options.embedding_dim()}));
  reset_parameters();
}

void EmbeddingImpl::reset_parameters() { init::normal_(weight); }

Tensor EmbeddingImpl::forward(const Tensor& indices) const { return gb::embedding(weight, indices); }

void EmbeddingImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("gb::nn::Embedding(num_embeddings={}, embedding_dim={})", options.num_embeddings(),
                        options.embedding_dim());
}

}  // namespace gb::nn
