// Batches of lines as tensors: what a training step reads.
//
//   input  [batch, length] int64   <bos> i eat bread every day <sep> yo como pan cada día <eos> <pad> ...
//   target [batch, length] int64   the token after each; kNoTarget from <eos> on
//
// Which lines step n gets depends on the seed and n alone, so that training may stop and go on anywhere. Every sentence
// comes once before any comes twice: the sentences are shuffled anew for each round.
#pragma once

#include <cstdint>

#include "core/tensor.h"
#include "nn/grammar/split.h"

namespace gb::nn::grammar {

inline constexpr int64_t kNoTarget = -100;  // what cross_entropy leaves out by default

struct Batch {
  Tensor input, target;
};

// One row for each sentence. Throws ValueError for a line of more than length + 1 tokens.
Batch make_batch(const Sentences& sentences, int64_t length);

class Batches {
 public:
  // Throws ValueError: no sentences, sizes below 1, a line of more than length + 1 tokens.
  Batches(Sentences sentences, int64_t batch, int64_t length, uint64_t seed);

  Batch at(int64_t step) const;           // throws ValueError below 0
  Sentences sentences_at(int64_t step) const;  // of its rows
  int64_t batch() const { return batch_; }
  int64_t length() const { return length_; }

 private:
  Sentences sentences_;
  int64_t batch_, length_;
  uint64_t seed_;
};

}  // namespace gb::nn::grammar
