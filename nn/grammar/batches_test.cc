#include "nn/grammar/batches.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "nn/grammar/text.h"
#include "nn/grammar/tokenizer.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using gb::tests::contains;
using gb::tests::message_of;

namespace gb::nn::grammar {
namespace {

std::set<std::string_view> words_of(const Sentences& sentences) {
  std::set<std::string_view> words;
  for (const Sentence* s : sentences) {
    for (const std::string* text : {&s->english, &s->spanish}) {
      for (std::string_view word : split(*text)) words.insert(word);
    }
  }
  return words;
}

}  // namespace

TEST_CASE("the split: 36 cells that are not trained on, and no word that was not seen") {
  const Split parts = split_corpus();
  CHECK(parts.held_out.size() == 36);
  std::set<std::tuple<const Verb*, Tense, Person>> cells;
  for (const Sentence* s : parts.held_out) {
    CHECK(s->correct);
    cells.insert({s->verb, s->tense, s->person});
  }
  CHECK(cells.size() == 36);
  Sentences right;
  size_t in_held_out_cells = 0;
  for (const Sentence* s : parts.train) {
    CHECK(!cells.contains({s->verb, s->tense, s->person}));
    if (s->correct) right.push_back(s);
  }
  for (const Sentence& s : corpus()) in_held_out_cells += cells.contains({s.verb, s.tense, s.person});
  CHECK(right.size() == 360 - 36);
  CHECK(parts.train.size() == 600 - in_held_out_cells);
  const std::set<std::string_view> known = words_of(right), asked = words_of(parts.held_out);
  CHECK(std::includes(known.begin(), known.end(), asked.begin(), asked.end()));

  CHECK(split_corpus().held_out == parts.held_out);
  CHECK(split_corpus(2).held_out != parts.held_out);
  CHECK(contains(message_of([] { split_corpus(1, 300); }), "cannot hold out 300 cells"));
}

TEST_CASE("240 minimal pairs: the same cell, one language different") {
  const Split parts = split_corpus();
  const std::vector<MinimalPair> pairs = minimal_pairs(parts);
  CHECK(pairs.size() == 240);
  int held_out = 0;
  for (const MinimalPair& pair : pairs) {
    const Sentence plain = unmarked(*pair.wrong);
    CHECK((plain.english == pair.right->english) != (plain.spanish == pair.right->spanish));
    CHECK(plain.english.find('*') == std::string::npos);
    CHECK(plain.spanish.find('*') == std::string::npos);
    CHECK(pair.right->correct);
    const bool trained = std::find(parts.train.begin(), parts.train.end(), pair.wrong) != parts.train.end();
    CHECK(trained == !pair.held_out);
    CHECK((std::find(parts.train.begin(), parts.train.end(), pair.right) != parts.train.end()) == trained);
    held_out += pair.held_out;
  }
  CHECK(held_out >= 15);
}

TEST_CASE("a batch: each target is the next input, and nothing is asked behind <eos>") {
  const Sentences two{&corpus()[0], &corpus()[3]};
  const Batch batch = make_batch(two, 32);
  CHECK(batch.input.sizes().vec() == std::vector<int64_t>{2, 32});
  CHECK(batch.target.sizes().vec() == std::vector<int64_t>{2, 32});
  const int64_t *input = batch.input.const_data_ptr<int64_t>(), *target = batch.target.const_data_ptr<int64_t>();
  const std::vector<int64_t> first(input, input + 13), next(target, target + 12);
  CHECK(Tokenizer::instance().decode(first) == "<bos> i eat bread every day <sep> yo como pan cada día <eos>");
  CHECK(next == std::vector<int64_t>(first.begin() + 1, first.end()));
  for (int i = 12; i < 32; ++i) CHECK(target[i] == kNoTarget);
  for (int i = 13; i < 32; ++i) CHECK(input[i] == kPad);
  CHECK(input[32 + 1] == kMark);  // "* he eat apples at night"
}

TEST_CASE("batches depend on seed and step alone, and go through all sentences before any comes again") {
  const Sentences train = split_corpus().train;
  const Batches batches(train, 32, 32, 7), again(train, 32, 32, 7), other(train, 32, 32, 8);
  std::map<const Sentence*, int> times;
  const size_t count = train.size();
  Sentences stream;
  for (int64_t step = 0; stream.size() < 2 * count; ++step) {
    const Sentences rows = batches.sentences_at(step);
    CHECK(rows.size() == 32);
    CHECK(again.sentences_at(step) == rows);
    stream.insert(stream.end(), rows.begin(), rows.end());
  }
  for (size_t i = 0; i < 2 * count; ++i) {
    times[stream[i]] += 1;
    CHECK(times[stream[i]] == (i < count ? 1 : 2));
  }
  CHECK(Sentences(stream.begin(), stream.begin() + 64) != Sentences(stream.begin() + static_cast<int64_t>(count), stream.begin() + static_cast<int64_t>(count) + 64));
  CHECK(other.sentences_at(0) != batches.sentences_at(0));
  CHECK(tests::values(batches.at(5).input) == tests::values(make_batch(batches.sentences_at(5), 32).input));
}

TEST_CASE("32 tokens hold every line; what does not fit is refused") {
  Sentences all;
  int64_t longest = 0;
  for (const Sentence& s : corpus()) {
    all.push_back(&s);
    longest = std::max(longest, Tokenizer::instance().line_length(s));
  }
  CHECK(longest <= 33);
  CHECK(Batches(all, 1, longest - 1, 1).length() == longest - 1);
  CHECK(contains(message_of([&] { Batches(all, 1, longest - 2, 1); }), "does not fit into"));
  CHECK(contains(message_of([&] { Batches(all, 0, 32, 1); }), "a batch and a length of 1 or more"));
  CHECK(contains(message_of([&] { Batches({}, 1, 32, 1); }), "needs sentences"));
  CHECK(contains(message_of([&] { Batches(all, 1, 32, 1).at(-1); }), "there is no step -1"));
}

}  // namespace gb::nn::grammar
