#include "nn/grammar/english.h"

namespace gb::nn::grammar {
namespace {

bool is_vowel(char letter) { return std::string_view("aeiou").find(letter) != std::string_view::npos; }

// study, but not play: the y turns into i before an ending.
bool ends_in_consonant_y(std::string_view base) {
  return base.size() >= 2 && base.back() == 'y' && !is_vowel(base[base.size() - 2]);
}

// A hissing end needs a vowel before -s to be pronounced: watches.
bool ends_in_hiss(std::string_view base) {
  for (std::string_view end : {"s", "x", "z", "ch", "sh"}) {
    if (base.ends_with(end)) return true;
  }
  return false;
}

// The base as it stands before an ending that begins with a vowel: run -> runn, write -> writ, eat -> eat.
std::string before_vowel(const EnglishVerb& verb) {
  std::string stem(verb.base);
  if (verb.doubles) {
    stem += stem.back();
  } else if (stem.ends_with('e') && !stem.ends_with("ee")) {
    stem.pop_back();
  }
  return stem;
}

}  // namespace

std::string english_third_person(const EnglishVerb& verb) {
  const std::string base(verb.base);
  if (ends_in_consonant_y(base)) return base.substr(0, base.size() - 1) + "ies";
  return base + (ends_in_hiss(base) ? "es" : "s");
}

std::string english_past(const EnglishVerb& verb) {
  if (!verb.past.empty()) return std::string(verb.past);
  if (ends_in_consonant_y(verb.base)) return std::string(verb.base.substr(0, verb.base.size() - 1)) + "ied";
  return before_vowel(verb) + "ed";
}

std::string english_participle(const EnglishVerb& verb) {
  return verb.participle.empty() ? english_past(verb) : std::string(verb.participle);
}

std::string english_ing(const EnglishVerb& verb) { return before_vowel(verb) + "ing"; }

std::string english_auxiliary(Tense tense, Person person) {
  switch (tense) {
    case Tense::kPresent:
    case Tense::kPast:
      return "";
    case Tense::kFuture:
      return "will";
    case Tense::kPerfect:
      return person == Person::kThird ? "has" : "have";
    case Tense::kProgressive:
      return person == Person::kFirst ? "am" : person == Person::kSecond ? "are" : "is";
    case Tense::kConditional:
      break;
  }
  return "would";
}

std::string english_group(const EnglishVerb& verb, Tense tense, Person person) {
  const std::string base(verb.base);
  const std::string auxiliary = english_auxiliary(tense, person);
  switch (tense) {
    case Tense::kPresent:
      return person == Person::kThird ? english_third_person(verb) : base;
    case Tense::kPast:
      return english_past(verb);
    case Tense::kPerfect:
      return auxiliary + " " + english_participle(verb);
    case Tense::kProgressive:
      return auxiliary + " " + english_ing(verb);
    case Tense::kFuture:
    case Tense::kConditional:
      break;
  }
  return auxiliary + " " + base;
}

}  // namespace gb::nn::grammar
