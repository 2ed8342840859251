// Embedding: a table of vectors, looked up by number: output[i] = weight[indices[i]].
//
//   indices [...] int64 in [0, num_embeddings)   weight [num_embeddings, embedding_dim]   ->   [..., embedding_dim]
//
// Fresh weights are normal with standard deviation 1, as in PyTorch. The row padding_idx starts at zero and gets no
// gradient. Names follow torch/nn/modules/embedding.h.
#pragma once

#include <optional>

#include "nn/cloneable.h"
#include "nn/options.h"

namespace gb::nn {

class EmbeddingOptions {
 public:
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}

  GB_ARG(int64_t, num_embeddings);
  GB_ARG(int64_t, embedding_dim);
  GB_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;  // a negative one counts from the end
  GB_ARG(bool, scale_grad_by_freq) = false;                    // a row's gradient is divided by how often it was chosen
};

class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
 public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(EmbeddingOptions options);  // throws ValueError: negative sizes, a padding_idx that is no row

  Tensor forward(const Tensor& indices) const;
  void reset_parameters();
  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  EmbeddingOptions options;
  Tensor weight;  // [num_embeddings, embedding_dim], the default dtype
};
GB_MODULE(Embedding);

}  // namespace gb::nn
