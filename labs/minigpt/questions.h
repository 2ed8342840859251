// What the trained model is asked: how well it foresees held-out sentences, whether it prefers the right conjugation, and
// how it goes on.
#pragma once

#include <string>
#include <vector>

#include "nn/gpt.h"
#include "nn/grammar/split.h"

namespace gb::labs {

// e to the mean loss of a token: the number of words among which the model, on average, still hesitates.
double perplexity(const nn::MiniGPT& model, const nn::grammar::Sentences& sentences);

// How often the right line of a pair is more probable than the wrong one without its mark.
struct Accuracy {
  int64_t right = 0, pairs = 0;
  double share() const { return pairs > 0 ? static_cast<double>(right) / static_cast<double>(pairs) : 0; }
};
Accuracy prefers_right(const nn::MiniGPT& model, const std::vector<nn::grammar::MinimalPair>& pairs);

// "she will" -> "she will close the window tomorrow <sep> ella ...": the most probable word each time, up to <eos> or the
// context. Throws ValueError for unknown words.
std::string complete(const nn::MiniGPT& model, const std::string& beginning);

}  // namespace gb::labs
