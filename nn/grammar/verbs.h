// The twenty verbs, as principal parts.
//
// A row says only what a learner has to remember; english.h and spanish.h hold the rules that make every
// other form. An empty part means "by rule". So `{.base = "study"}` is a wholly regular verb, and a filled
// part is an irregularity that can be pointed at: `.past = "ate"`, `.participle = "hecho"`.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "nn/grammar/phrases.h"

namespace gb::nn::grammar {

struct EnglishVerb {
  std::string_view base;             // eat
  std::string_view past = {};        // ate     (by rule: base + ed)
  std::string_view participle = {};  // eaten   (by rule: as the past)
  bool doubles = false;              // the last consonant doubles before -ing and -ed: running
};

struct SpanishVerb {
  std::string_view infinitive;  // dormir; its last two letters are its class: ar, er, ir
  std::string_view stressed_stem =
      {};                           // duerm-  where the stem carries the stress: the singular of the present
  std::string_view weak_stem = {};  // durm-   before -ió and -iendo, in -ir verbs
  std::string_view present_first = {};  // hago    the first person of the present
  std::string_view strong_preterite =
      {};                             // hic-  a preterite with the stress on the stem: hice, hiciste, hizo
  std::string_view future_stem = {};  // har-    (by rule: the infinitive) for the future and the conditional
  std::string_view participle = {};   // hecho
};

struct Verb {
  EnglishVerb english;
  SpanishVerb spanish;
  bool feminine;                    // third person: she / ella (true) or he / él (false)
  std::vector<Phrase> complements;  // what is eaten, where one lives, ...: never empty
};

// The twenty rows, in corpus order. The table lives as long as the program: pointers into it stay valid.
std::span<const Verb> verbs();

}  // namespace gb::nn::grammar
