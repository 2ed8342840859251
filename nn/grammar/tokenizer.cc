#include "nn/grammar/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "nn/grammar/text.h"

namespace gb::nn::grammar {
namespace {

// The three words of the vocabulary that are closest to `word`; among equals the lower id first.
std::vector<std::string> closest_words(std::string_view word) {
  static constexpr size_t kSuggestions = 3;
  static constexpr size_t kCompared = 32;  // longer than any word: bounds the work for absurd input
  std::vector<std::string_view> wanted = letters(word);
  if (wanted.size() > kCompared) wanted.resize(kCompared);

  std::vector<std::pair<size_t, size_t>> ranked;  // distance, id
  const std::vector<std::string>& words = vocabulary();
  for (size_t id = kMark + 1; id < words.size(); ++id) {
    ranked.emplace_back(edit_distance(wanted, letters(words[id])), id);
  }
  std::partial_sort(ranked.begin(), ranked.begin() + kSuggestions, ranked.end());
  std::vector<std::string> closest;
  for (size_t i = 0; i < kSuggestions; ++i) closest.push_back(fmt::format("'{}'", words[ranked[i].second]));
  return closest;
}

// What follows `context` (one or two ids) in `text`; -1 where they do not stand side by side in it.
int64_t continuation(const std::vector<int64_t>& text, const std::vector<int64_t>& context) {
  const auto at = std::search(text.begin(), text.end(), context.begin(), context.end());
  if (at == text.end()) return -1;
  const auto next = at + static_cast<std::ptrdiff_t>(context.size());
  return next == text.end() ? kEos : *next;
}

}  // namespace

const Tokenizer& Tokenizer::instance() {
  static const Tokenizer kTokenizer;
  return kTokenizer;
}

Tokenizer::Tokenizer() {
  for (const std::string& word : vocabulary()) ids_.emplace(word, static_cast<int64_t>(ids_.size()));
}

int64_t Tokenizer::size() const { return static_cast<int64_t>(vocabulary().size()); }

bool Tokenizer::contains(std::string_view word) const { return ids_.contains(word); }

int64_t Tokenizer::id(std::string_view word) const {
  const auto found = ids_.find(word);
  GB_CHECK_OR_THROW(
      found != ids_.end(), ValueError,
      .what = fmt::format("gb::nn::grammar: unknown word '{}'", printable(word)),
      .cause = fmt::format("the vocabulary is the {} tokens of the grammar corpus, and this is none of them",
                           size()),
      .repair = fmt::format(
          "use a word of the corpus, the closest are {}; all of them: bazel run //nn/grammar:show -- words",
          fmt::join(closest_words(word), ", ")),
      .chapter = chapters::kGrammar);
  return found->second;
}

const std::string& Tokenizer::word(int64_t id) const {
  GB_CHECK_OR_THROW(
      id >= 0 && id < size(), IndexError,
      .what = fmt::format("gb::nn::grammar: token id {} is out of range", id),
      .cause = fmt::format("the vocabulary has {} tokens, so ids go from 0 to {}", size(), size() - 1),
      .repair = "take ids from Tokenizer::encode or Tokenizer::id", .chapter = chapters::kGrammar);
  return vocabulary()[static_cast<size_t>(id)];
}

std::vector<int64_t> Tokenizer::encode(std::string_view text) const {
  const std::string lower = lower_case(text);
  std::vector<int64_t> ids;
  for (std::string_view word : split(lower)) ids.push_back(id(word));
  return ids;
}

std::string Tokenizer::decode(const std::vector<int64_t>& ids) const {
  std::string text;
  for (int64_t id : ids) {
    if (!text.empty()) text += ' ';
    text += word(id);
  }
  return text;
}

int64_t Tokenizer::line_length(const Sentence& sentence) const {
  // <bos>, <sep> and <eos>
  return static_cast<int64_t>(split(sentence.english).size() + split(sentence.spanish).size() + 3);
}

std::vector<int64_t> Tokenizer::encode_line(const Sentence& sentence, int64_t length) const {
  const int64_t needed = line_length(sentence);
  GB_CHECK_OR_THROW(
      length >= needed, ValueError,
      .what = fmt::format("gb::nn::grammar: a line of {} tokens does not fit into {}", needed, length),
      .cause = fmt::format("<bos> {} <sep> {} <eos>", sentence.english, sentence.spanish),
      .repair = fmt::format("ask for a length of at least {} (Tokenizer::line_length)", needed),
      .chapter = chapters::kGrammar);
  std::vector<int64_t> line = {kBos};
  for (int64_t id : encode(sentence.english)) line.push_back(id);
  line.push_back(kSep);
  for (int64_t id : encode(sentence.spanish)) line.push_back(id);
  line.push_back(kEos);
  line.resize(static_cast<size_t>(length), kPad);
  return line;
}

std::vector<int64_t> next_tokens(const std::vector<int64_t>& ids) {
  if (ids.empty()) return {};
  const Tokenizer& tokenizer = Tokenizer::instance();
  for (int64_t id : ids) tokenizer.word(id);  // throws before anything else happens

  std::vector<int64_t> next(ids.begin() + 1, ids.end());
  const std::vector<int64_t> context(ids.end() - std::min<std::ptrdiff_t>(2, std::ssize(ids)), ids.end());
  for (const Sentence& sentence : corpus()) {
    if (!sentence.correct) continue;
    for (const std::string* text : {&sentence.english, &sentence.spanish}) {
      const int64_t found = continuation(tokenizer.encode(*text), context);
      if (found < 0) continue;
      next.push_back(found);
      return next;
    }
  }
  next.push_back(kEos);
  return next;
}

}  // namespace gb::nn::grammar
