#include "nn/grammar/spanish.h"

#include <array>

namespace gb::nn::grammar {
namespace {

using Endings = std::array<std::string_view, kPersonCount>;  // first, second, third

std::string join(std::string_view stem, std::string_view ending) { return std::string(stem).append(ending); }

std::string_view ending(const Endings& endings, Person person) {
  return endings[static_cast<size_t>(person)];
}

std::string_view stem(const SpanishVerb& verb) {
  return verb.infinitive.substr(0, verb.infinitive.size() - 2);
}

bool is_ar(const SpanishVerb& verb) { return verb.infinitive.ends_with("ar"); }

// `part` where the row gives it, else what the rule gives.
std::string_view or_rule(std::string_view part, std::string_view by_rule) {
  return part.empty() ? by_rule : part;
}

// Stems like le-, tra-: an i that follows meets a strong vowel.
bool ends_in_strong_vowel(std::string_view text) {
  return !text.empty() && std::string_view("aeo").find(text.back()) != std::string_view::npos;
}

// ver has the stem v-: stem and ending make one syllable, or the stress needs no accent (viste).
bool has_no_vowel(std::string_view text) { return text.find_first_of("aeiou") == std::string_view::npos; }

// The stem as it is spelled before é, so that its last sound stays: jug -> jugu.
std::string before_e(std::string_view text) {
  const std::string head(text.substr(0, text.size() - 1));
  switch (text.back()) {
    case 'g':
      return head + "gu";
    case 'c':
      return head + "qu";
    case 'z':
      return head + "c";
    default:
      return std::string(text);
  }
}

// The strong stem as it is spelled before o, so that its last sound stays: hic -> hiz.
std::string before_o(std::string_view text) {
  std::string spelled(text);
  if (spelled.back() == 'c') spelled.back() = 'z';
  return spelled;
}

std::string strong_preterite(std::string_view strong, Person person) {
  static constexpr Endings kEndings = {"e", "iste", "o"};
  return join(person == Person::kThird ? before_o(strong) : std::string(strong), ending(kEndings, person));
}

std::string preterite_er_ir(const SpanishVerb& verb, Person person) {
  static constexpr Endings kPlain = {"í", "iste", "ió"};
  static constexpr Endings kAfterVowel = {"í", "íste", "yó"};   // leí, leíste, leyó
  static constexpr Endings kOneSyllable = {"i", "iste", "io"};  // vi, viste, vio
  const std::string_view own = person == Person::kThird ? or_rule(verb.weak_stem, stem(verb)) : stem(verb);
  if (has_no_vowel(own)) return join(own, ending(kOneSyllable, person));
  return join(own, ending(ends_in_strong_vowel(own) ? kAfterVowel : kPlain, person));
}

}  // namespace

std::string spanish_present(const SpanishVerb& verb, Person person) {
  static constexpr Endings kAr = {"o", "as", "a"};
  static constexpr Endings kErIr = {"o", "es", "e"};
  if (person == Person::kFirst && !verb.present_first.empty()) return std::string(verb.present_first);
  return join(or_rule(verb.stressed_stem, stem(verb)), ending(is_ar(verb) ? kAr : kErIr, person));
}

std::string spanish_preterite(const SpanishVerb& verb, Person person) {
  static constexpr Endings kAr = {"é", "aste", "ó"};
  if (!verb.strong_preterite.empty()) return strong_preterite(verb.strong_preterite, person);
  if (!is_ar(verb)) return preterite_er_ir(verb, person);
  return join(person == Person::kFirst ? before_e(stem(verb)) : std::string(stem(verb)), ending(kAr, person));
}

std::string spanish_future(const SpanishVerb& verb, Person person) {
  static constexpr Endings kEndings = {"é", "ás", "á"};
  return join(or_rule(verb.future_stem, verb.infinitive), ending(kEndings, person));
}

std::string spanish_conditional(const SpanishVerb& verb, Person person) {
  static constexpr Endings kEndings = {"ía", "ías", "ía"};
  return join(or_rule(verb.future_stem, verb.infinitive), ending(kEndings, person));
}

std::string spanish_participle(const SpanishVerb& verb) {
  if (!verb.participle.empty()) return std::string(verb.participle);
  if (is_ar(verb)) return join(stem(verb), "ado");
  return join(stem(verb), ends_in_strong_vowel(stem(verb)) ? "ído" : "ido");
}

std::string spanish_gerund(const SpanishVerb& verb) {
  if (is_ar(verb)) return join(stem(verb), "ando");
  const std::string_view own = or_rule(verb.weak_stem, stem(verb));
  return join(own, ends_in_strong_vowel(own) ? "yendo" : "iendo");
}

std::string spanish_auxiliary(Tense tense, Person person) {
  static constexpr Endings kHaber = {"he", "has", "ha"};
  static constexpr Endings kEstar = {"estoy", "estás", "está"};
  if (tense == Tense::kPerfect) return std::string(ending(kHaber, person));
  if (tense == Tense::kProgressive) return std::string(ending(kEstar, person));
  return "";
}

std::string spanish_group(const SpanishVerb& verb, Tense tense, Person person) {
  switch (tense) {
    case Tense::kPresent:
      return spanish_present(verb, person);
    case Tense::kPast:
      return spanish_preterite(verb, person);
    case Tense::kFuture:
      return spanish_future(verb, person);
    case Tense::kPerfect:
      return spanish_auxiliary(tense, person) + " " + spanish_participle(verb);
    case Tense::kProgressive:
      return spanish_auxiliary(tense, person) + " " + spanish_gerund(verb);
    case Tense::kConditional:
      break;
  }
  return spanish_conditional(verb, person);
}

}  // namespace gb::nn::grammar
