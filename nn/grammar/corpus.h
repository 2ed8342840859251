// The corpus: every verb in every tense and person, English beside Spanish, and the mistakes learners make.
//
// For each verb, for each tense: three correct sentences (first, second, third person), then one with a
// mistake in the English and one with a mistake in the Spanish. A wrong text begins with the mark "*", as in
// a grammar book, and the other language of the pair is right:
//     "i eat bread every day"        "yo como pan cada día"
//     "* he eat apples at night"     "él come manzanas de noche"
//     mistake: with 'he' the present ends in -s: 'eats', not 'eat'
// Mistakes use real forms in the wrong place, never invented words: the vocabulary holds words of the two
// languages.
//
// Invariants: 20 * 6 * 3 = 360 correct sentences and 20 * 6 * 2 = 240 wrong ones, in a fixed order; all lower
// case; words separated by one space; `mistake` is empty exactly where `correct` is true.
#pragma once

#include <string>
#include <vector>

#include "nn/grammar/verbs.h"

namespace gb::nn::grammar {

struct Sentence {
  std::string english;
  std::string spanish;
  const Verb* verb;  // into verbs(), never null
  Tense tense;
  Person person;
  bool correct;
  std::string mistake;  // what is wrong, and what is right
};

const std::vector<Sentence>& corpus();

}  // namespace gb::nn::grammar
