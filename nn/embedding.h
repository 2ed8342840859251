// Embedding: a table of vectors, looked up by number: output[i] = weight[indices[i]].
//
//   indices [...] int64 in [0, num_embeddings)   weight [num_embeddings, embedding_dim]   ->   [..., embedding_dim]
//
// Fresh weights are normal with standard deviation 1, as in PyTorch. Names follow torch/nn/modules/embedding.h.
#pragma once

#include "nn/cloneable.h"

namespace gb::nn {

class EmbeddingOptions {
 public:
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}

  int64_t num_embeddings() const { return num_embeddings_; }
  int64_t embedding_dim() const { return embedding_dim_; }

 private:
  int64_t num_embeddings_, embedding_dim_;
};

class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
 public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(EmbeddingOptions options);  // throws ValueError for negative sizes

  Tensor forward(const Tensor& indices) const;
  void reset_parameters();
  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  EmbeddingOptions options;
  Tensor weight;  // [num_embeddings, embedding_dim], the default dtype
};
GB_MODULE(Embedding);

}  // namespace gb::nn
