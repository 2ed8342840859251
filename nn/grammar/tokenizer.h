// The tokenizer: text to ids and back, one token for each word.
//
// Text is split at spaces, tabs and line ends, and put in lower case (English and Spanish letters: text.h),
// so "I  eat" and "i eat" are the same tokens. There is no <unk>: a word that is not in the vocabulary is an
// error that names the closest words. Empty text has no tokens.
//
// Invariants: size() == 600; word(id(w)) == w; decode(encode(text)) == text for lower-case text with single
// spaces. The one instance is immutable, so any thread may use it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nn/grammar/corpus.h"
#include "nn/grammar/vocabulary.h"

namespace gb::nn::grammar {

class Tokenizer {
 public:
  static const Tokenizer& instance();

  int64_t size() const;
  bool contains(std::string_view word) const;  // exact: lower case, no spaces
  int64_t id(std::string_view word) const;     // exact; throws ValueError for an unknown word
  const std::string& word(int64_t id) const;   // throws IndexError outside [0, size())

  // "i eat" -> {5, 6}. Throws ValueError for an unknown word.
  std::vector<int64_t> encode(std::string_view text) const;

  // {5, 6} -> "i eat". Throws IndexError for an id outside [0, size()).
  std::string decode(const std::vector<int64_t>& ids) const;

  // A line to train on: <bos> english <sep> spanish <eos>, filled with <pad> up to `length` tokens.
  // Throws ValueError when the line needs more than `length` tokens (line_length says how many).
  std::vector<int64_t> encode_line(const Sentence& sentence, int64_t length) const;
  int64_t line_length(const Sentence& sentence) const;  // without padding

  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

 private:
  Tokenizer();

  std::unordered_map<std::string_view, int64_t> ids_;  // keys view into vocabulary()
};

// For each token, the token that a language model should say next; same length as `ids`.
//   * For all but the last: the token that follows in `ids`.
//   * For the last: what stands after the last two tokens (after the one, if there is only one) where they
//   first stand
//     side by side in a correct text of the corpus, English before Spanish; <eos> where that text ends there,
//     and where they never do.
// "i eat" -> "eat bread", since the corpus opens with "i eat bread every day". Throws IndexError for an
// unknown id.
std::vector<int64_t> next_tokens(const std::vector<int64_t>& ids);

}  // namespace gb::nn::grammar
