// The running example: the LM head of the grammar model, Linear(64, 600), and one input for it.
//
//   ids [N] --embedding [600, 64]--> x [N, 64] --linear: weight [600, 64], bias [600]--> logits [N, 600]
//
// Weights are drawn as GPT draws them: normal, standard deviation 0.02; biases 0. Equal seeds give equal models, on
// every device, and a float32 model is the rounded float64 one. 600 is the size of the vocabulary (README.md), 64 the width
// of the model.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace gb::nn::grammar {

inline constexpr int64_t kModelWidth = 64;

struct LmHead {
  Tensor embedding;  // [600, 64], no gradient: the labs ask for those of the head
  Tensor weight;     // W [600, 64], a leaf that requires grad
  Tensor bias;       // b [600], a leaf that requires grad
};
// Throws NotImplementedError for a dtype that is not floating.
LmHead make_lm_head(uint64_t seed, ScalarType dtype = kFloat, Device device = kCPU);

struct Example {
  std::vector<int64_t> ids;       // N tokens of the text
  std::vector<int64_t> next_ids;  // N: after each, the token that should follow (tokenizer.h: next_tokens)
  Tensor x;                       // [N, 64]: their rows of the embedding, detached, then a leaf that requires grad
  Tensor next;                    // [N] int64: next_ids, on the device of the head
};
// "i eat" -> N = 2. Throws ValueError for text without tokens and for unknown words.
Example make_example(std::string_view tokens, const LmHead& head);

}  // namespace gb::nn::grammar
