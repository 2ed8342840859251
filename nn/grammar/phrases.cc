#include "nn/grammar/phrases.h"

namespace gb::nn::grammar {
namespace {

constexpr Phrase kPresentTimes[] = {
    {"every day", "cada día"},        {"on mondays", "los lunes"}, {"often", "a menudo"},
    {"in summer", "en verano"},       {"at night", "de noche"},    {"sometimes", "a veces"},
    {"every morning", "cada mañana"},
};

// Each names a time that is over, so that the present beside it is a mistake.
constexpr Phrase kPastTimes[] = {
    {"yesterday", "ayer"},
    {"last night", "anoche"},
    {"last week", "la semana pasada"},
    {"two days ago", "hace dos días"},
    {"last year", "el año pasado"},
    {"last friday", "el viernes pasado"},
    {"yesterday afternoon", "ayer por la tarde"},
};

constexpr Phrase kFutureTimes[] = {
    {"tomorrow", "mañana"},
    {"soon", "pronto"},
    {"tonight", "esta noche"},
    {"next week", "la próxima semana"},
    {"later", "más tarde"},
    {"on saturday", "el sábado"},
    {"in an hour", "dentro de una hora"},
};

// "This ..." and counts of times: spans that reach up to now, which is what both perfects are for.
constexpr Phrase kPerfectTimes[] = {
    {"today", "hoy"},
    {"this week", "esta semana"},
    {"many times", "muchas veces"},
    {"this morning", "esta mañana"},
    {"twice", "dos veces"},
    {"recently", "recientemente"},
    {"this month", "este mes"},
};

constexpr Phrase kProgressiveTimes[] = {
    {"now", "ahora"},      {"at this moment", "en este momento"},
    {"again", "otra vez"}, {"right now", "ahora mismo"},
    {"today", "hoy"},
};

// The condition under which it would happen, said in a phrase.
constexpr Phrase kConditionalTimes[] = {
    {"in that case", "en ese caso"},         {"gladly", "con gusto"},
    {"with more time", "con más tiempo"},    {"one day", "algún día"},
    {"without fear", "sin miedo"},           {"another time", "en otra ocasión"},
    {"with some help", "con algo de ayuda"},
};

}  // namespace

std::string_view tense_name(Tense tense) {
  switch (tense) {
    case Tense::kPresent:
      return "present";
    case Tense::kPast:
      return "past";
    case Tense::kFuture:
      return "future";
    case Tense::kPerfect:
      return "present perfect";
    case Tense::kProgressive:
      return "present progressive";
    case Tense::kConditional:
      break;
  }
  return "conditional";
}

std::string_view person_name(Person person) {
  switch (person) {
    case Person::kFirst:
      return "first";
    case Person::kSecond:
      return "second";
    case Person::kThird:
      break;
  }
  return "third";
}

Phrase pronoun(Person person, bool feminine) {
  switch (person) {
    case Person::kFirst:
      return {"i", "yo"};
    case Person::kSecond:
      return {"you", "tú"};
    case Person::kThird:
      break;
  }
  return feminine ? Phrase{"she", "ella"} : Phrase{"he", "él"};
}

std::span<const Phrase> time_phrases(Tense tense) {
  switch (tense) {
    case Tense::kPresent:
      return kPresentTimes;
    case Tense::kPast:
      return kPastTimes;
    case Tense::kFuture:
      return kFutureTimes;
    case Tense::kPerfect:
      return kPerfectTimes;
    case Tense::kProgressive:
      return kProgressiveTimes;
    case Tense::kConditional:
      break;
  }
  return kConditionalTimes;
}

}  // namespace gb::nn::grammar
