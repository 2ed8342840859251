// What stands around the verb: pronouns, and when it happens.
//
// A sentence of the corpus is  subject + verb group + complement + time phrase,  in that order in both
// languages:
//     "i     eat    bread   every day"
//     "yo    como   pan     cada día"
// so that one rule builds all of them. The complements belong to the verbs (verbs.h); the time phrases belong
// to the tenses and stand here. Every phrase is a pair: its English words and the Spanish that says the same.
#pragma once

#include <span>
#include <string_view>

namespace gb::nn::grammar {

struct Phrase {
  std::string_view english;
  std::string_view spanish;
};

// The six tenses. Each has a natural form in both languages, used in the same situations:
enum class Tense {
  kPresent,      // i eat            yo como
  kPast,         // i ate            yo comí            (pretérito perfecto simple)
  kFuture,       // i will eat       yo comeré
  kPerfect,      // i have eaten     yo he comido       (pretérito perfecto compuesto)
  kProgressive,  // i am eating      yo estoy comiendo  (estar + gerundio)
  kConditional,  // i would eat      yo comería
};
inline constexpr int kTenseCount = 6;

// The three persons of the singular.
enum class Person {
  kFirst,   // i      yo
  kSecond,  // you    tú
  kThird,   // he     él   or  she    ella: the verb's row in verbs.cc says which
};
inline constexpr int kPersonCount = 3;

std::string_view tense_name(Tense tense);     // "present", "past", ...
std::string_view person_name(Person person);  // "first", "second", "third"

// The pair of subject pronouns; `feminine` matters in the third person only.
Phrase pronoun(Person person, bool feminine);

// The time phrases that go with a tense ("yesterday" - "ayer" with the past). Never empty.
std::span<const Phrase> time_phrases(Tense tense);

}  // namespace gb::nn::grammar
