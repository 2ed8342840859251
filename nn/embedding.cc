#include "nn/embedding.h"

#include <fmt/format.h>

#include <ostream>

#include "core/autograd_state.h"
#include "core/error.h"
#include "nn/init.h"
#include "ops/embedding/embedding.h"
#include "ops/factories/factories.h"
#include "ops/as_strided/as_strided.h"

namespace gb::nn {

EmbeddingImpl::EmbeddingImpl(EmbeddingOptions o) : options(o) {
  GB_CHECK_OR_THROW(
      o.num_embeddings() >= 0 && o.embedding_dim() >= 0, ValueError,
      .what = fmt::format("nn::Embedding({}, {}): sizes must not be negative", o.num_embeddings(), o.embedding_dim()),
      .cause = "they are the two sizes of the weight", .repair = "give sizes of 0 or more", .chapter = chapters::kTensors);
  if (o.padding_idx()) {
    const int64_t row = *o.padding_idx();
    GB_CHECK_OR_THROW(row >= -o.num_embeddings() && row < o.num_embeddings(), ValueError,
                      .what = "nn::Embedding: Padding_idx must be within num_embeddings",
                      .cause = fmt::format("padding_idx is {}, and there are {} rows", row, o.num_embeddings()),
                      .repair = "name a row of the table", .chapter = chapters::kTensors);
    if (row < 0) options.padding_idx(row + o.num_embeddings());
  }
  reset();
}

void EmbeddingImpl::reset() {
  weight = register_parameter("weight", empty({options.num_embeddings(), options.embedding_dim()}));
  reset_parameters();
}

void EmbeddingImpl::reset_parameters() {
  init::normal_(weight);
  if (!options.padding_idx()) return;
  NoGradGuard unrecorded;
  const int64_t row = *options.padding_idx(), width = options.embedding_dim();
  weight.as_strided({width}, {1}, row * width).zero_();
}

Tensor EmbeddingImpl::forward(const Tensor& indices) const {
  return gb::embedding(weight, indices, options.padding_idx().value_or(-1), options.scale_grad_by_freq());
}

void EmbeddingImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("gb::nn::Embedding(num_embeddings={}, embedding_dim={}", options.num_embeddings(),
                        options.embedding_dim());
  if (options.padding_idx()) stream << fmt::format(", padding_idx={}", *options.padding_idx());
  stream << ')';
}

}  // namespace gb::nn
