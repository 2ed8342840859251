#include "nn/grammar/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "core/error.h"
#include "nn/grammar/text.h"

namespace gb::nn::grammar {
namespace {

using Cell = std::tuple<const Verb*, Tense, Person>;
Cell cell_of(const Sentence& s) { return {s.verb, s.tense, s.person}; }

std::vector<std::string_view> words_of(const Sentence& s) {
  std::vector<std::string_view> words = split(s.english);
  for (std::string_view word : split(s.spanish)) words.push_back(word);
  return words;
}

Sentences right_sentences() {
  Sentences right;
  for (const Sentence& s : corpus()) {
    if (s.correct) right.push_back(&s);
  }
  return right;
}

}  // namespace

Split split_corpus(uint64_t seed, size_t held_out_cells) {
  Sentences order = right_sentences();
  std::map<std::string_view, int> sentences_with;  // right ones that are trained on
  for (const Sentence* s : order) {
    for (std::string_view word : words_of(*s)) ++sentences_with[word];
  }
  std::mt19937_64 dice(seed);  // the same on every machine; std::shuffle need not be
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[dice() % i]);
  std::set<Cell> held_out;
  for (const Sentence* s : order) {
    if (held_out.size() == held_out_cells) break;
    const std::vector<std::string_view> words = words_of(*s);
    for (std::string_view word : words) --sentences_with[word];
    const bool known = std::all_of(words.begin(), words.end(), [&](auto word) { return sentences_with[word] > 0; });
    if (known) {
      held_out.insert(cell_of(*s));
    } else {
      for (std::string_view word : words) ++sentences_with[word];
    }
  }
  GB_CHECK_OR_THROW(held_out.size() == held_out_cells, ValueError,
                    .what = fmt::format("split_corpus: cannot hold out {} cells", held_out_cells),
                    .cause = fmt::format("with seed {}, {} have no word that would be left unseen", seed, held_out.size()),
                    .repair = "hold out fewer", .chapter = chapters::kGrammar);
  Split result;
  for (const Sentence& s : corpus()) {
    const bool out = held_out.contains(cell_of(s));
    if (!out) result.train.push_back(&s);
    if (out && s.correct) result.held_out.push_back(&s);
  }
  return result;
}

std::vector<MinimalPair> minimal_pairs(const Split& split) {
  std::map<Cell, const Sentence*> right;
  for (const Sentence* s : right_sentences()) right[cell_of(*s)] = s;
  std::set<Cell> held_out;
  for (const Sentence* s : split.held_out) held_out.insert(cell_of(*s));
  std::vector<MinimalPair> pairs;
  for (const Sentence& s : corpus()) {
    if (!s.correct) pairs.push_back({right[cell_of(s)], &s, held_out.contains(cell_of(s))});
  }
  return pairs;
}

Sentence unmarked(const Sentence& sentence) {
  Sentence plain = sentence;
  for (std::string* text : {&plain.english, &plain.spanish}) {
    if (text->starts_with("* ")) text->erase(0, 2);
  }
  return plain;
}

}  // namespace gb::nn::grammar
