// The vocabulary: 600 tokens, each a word of the corpus or one of five marks.
//
// The order gives the ids: first the marks, then the words in the order in which reading the corpus from its
// first sentence to its last, English before Spanish, meets them. So "i eat bread every day" has the ids 5 6
// 7 8 9.
//
// Nothing fills the vocabulary up. 600 is what the tables of verbs.cc and phrases.cc give:
// vocabulary_groups() counts it from the tables, token by token, while vocabulary() collects it from the
// corpus; a test holds the two together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gb::nn::grammar {

// The marks, with the ids that are their places:
inline constexpr int64_t kPad =
    0;  // <pad>  fills a line up to the length of its batch (Tokenizer::encode_line)
inline constexpr int64_t kBos = 1;   // <bos>  opens a line
inline constexpr int64_t kEos = 2;   // <eos>  closes a line; next_tokens answers it where a text ends
inline constexpr int64_t kSep = 3;   // <sep>  stands between the English and the Spanish of a line
inline constexpr int64_t kMark = 4;  // *      opens a wrong text

// All tokens, in the order of their ids.
const std::vector<std::string>& vocabulary();

// A group of words that belong together. A word counts in the first group that has it.
struct VocabularyGroup {
  std::string name;
  std::vector<std::string> words;   // new in this group
  std::vector<std::string> shared;  // already counted in an earlier group: he, has, pizza, ...
};
std::vector<VocabularyGroup> vocabulary_groups();

// How 600 arises, as a table of the groups with their counts and their sum.
std::string vocabulary_report();

}  // namespace gb::nn::grammar
