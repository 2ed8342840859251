// What the grammar model trains on, what it is asked about, and the pairs that show whether it learned to conjugate.
//
// The split is by cell: verb, tense and person. The sentences of a held-out cell, right and wrong, are not trained on.
// A cell may be held out only if every word of its right sentence stands in another right sentence that is trained on:
// a form that the model never saw cannot be expected of it. So the held-out cells ask for what can be put together from
// the others: "she was", "he would", the auxiliaries and the participles.
//
// A minimal pair is a wrong sentence and the right one of its cell; they differ in the verb group of one language.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/grammar/corpus.h"

namespace gb::nn::grammar {

using Sentences = std::vector<const Sentence*>;  // into corpus()

struct Split {
  Sentences train;     // right and marked wrong, in the order of the corpus
  Sentences held_out;  // the right sentences of the held-out cells, in the order of the corpus
};
// Equal seeds give equal splits on every machine. Throws ValueError where not so many cells can be held out.
Split split_corpus(uint64_t seed = 1, size_t held_out_cells = 36);

struct MinimalPair {
  const Sentence* right;
  const Sentence* wrong;
  bool held_out;  // neither was trained on
};
std::vector<MinimalPair> minimal_pairs(const Split& split);  // 240, in the order of the corpus

// The sentence without the mark that would give it away: what a model is asked to prefer the right one to.
Sentence unmarked(const Sentence& sentence);

}  // namespace gb::nn::grammar
