#include "nn/grammar/corpus.h"

#include <fmt/format.h>

#include "nn/grammar/english.h"
#include "nn/grammar/spanish.h"

namespace gb::nn::grammar {
namespace {

// One cell of the verb x tense x person cube, with the words around the verb chosen.
struct Cell {
  const Verb* verb;
  Tense tense;
  Person person;
  Phrase subject, complement, time;
};

// Walks through the complements and time phrases at different speeds, so that they meet in many combinations
// and each phrase occurs. Cell 0 takes the first of each.
Cell make_cell(size_t verb_index, Tense tense, Person person) {
  const Verb& verb = verbs()[verb_index];
  const std::span<const Phrase> times = time_phrases(tense);
  const size_t t = static_cast<size_t>(tense), p = static_cast<size_t>(person);
  return {&verb,
          tense,
          person,
          pronoun(person, verb.feminine),
          verb.complements[(t + p) % verb.complements.size()],
          times[(verb_index + 2 * p) % times.size()]};
}

std::string english_text(const Cell& cell, std::string_view group) {
  return fmt::format("{} {} {} {}", cell.subject.english, group, cell.complement.english, cell.time.english);
}

std::string spanish_text(const Cell& cell, std::string_view group) {
  return fmt::format("{} {} {} {}", cell.subject.spanish, group, cell.complement.spanish, cell.time.spanish);
}

Sentence correct_sentence(const Cell& cell) {
  return {english_text(cell, english_group(cell.verb->english, cell.tense, cell.person)),
          spanish_text(cell, spanish_group(cell.verb->spanish, cell.tense, cell.person)),
          cell.verb,
          cell.tense,
          cell.person,
          true,
          ""};
}

// A verb group that does not fit its cell, and why not.
struct Mistake {
  std::string group;
  std::string reason;
};

// The person in which the English mistake of a tense is made: where learners make it.
Person english_mistake_person(Tense tense) {
  switch (tense) {
    case Tense::kProgressive:
      return Person::kFirst;
    case Tense::kConditional:
      return Person::kSecond;
    default:
      return Person::kThird;
  }
}

Mistake english_mistake(const Cell& cell) {
  const EnglishVerb& verb = cell.verb->english;
  const std::string right = english_group(verb, cell.tense, cell.person);
  const std::string third = english_third_person(verb), ing = english_ing(verb);
  switch (cell.tense) {
    case Tense::kPresent:
      return {std::string(verb.base), fmt::format("with '{}' the present ends in -s: '{}', not '{}'",
                                                  cell.subject.english, right, verb.base)};
    case Tense::kPast:
      return {third, fmt::format("'{}' asks for the past: '{}', not the present '{}'", cell.time.english,
                                 right, third)};
    case Tense::kFuture:
      return {"will " + third,
              fmt::format("after 'will' comes the base form: '{}', not 'will {}'", right, third)};
    case Tense::kPerfect: {
      const std::string wrong = "have " + english_participle(verb);
      return {wrong, fmt::format("'{}' takes 'has': '{}', not '{}'", cell.subject.english, right, wrong)};
    }
    case Tense::kProgressive: {
      const std::string wrong = "is " + ing;
      return {wrong, fmt::format("'{}' takes 'am': '{}', not '{}'", cell.subject.english, right, wrong)};
    }
    case Tense::kConditional:
      break;
  }
  return {"would " + ing, fmt::format("after 'would' comes the base form: '{}', not 'would {}'", right, ing)};
}

// Spanish marks the person on the verb, so its mistakes are forms of another person. The first and the third
// share the conditional (comería), so there the subject has to be the second.
struct PersonSwap {
  Person subject, form;
};

PersonSwap spanish_swap(Tense tense) {
  switch (tense) {
    case Tense::kPresent:
    case Tense::kPerfect:
      return {.subject = Person::kFirst, .form = Person::kThird};
    case Tense::kFuture:
      return {.subject = Person::kThird, .form = Person::kSecond};
    default:
      return {.subject = Person::kSecond, .form = Person::kThird};
  }
}

Mistake spanish_mistake(const Cell& cell, Person used) {
  const std::string right = spanish_group(cell.verb->spanish, cell.tense, cell.person);
  const std::string wrong = spanish_group(cell.verb->spanish, cell.tense, used);
  return {wrong, fmt::format("'{}' takes the {} person: '{}', not '{}' ({} person)", cell.subject.spanish,
                             person_name(cell.person), right, wrong, person_name(used))};
}

Sentence with_english_mistake(size_t verb_index, Tense tense) {
  const Cell cell = make_cell(verb_index, tense, english_mistake_person(tense));
  Mistake mistake = english_mistake(cell);
  Sentence sentence = correct_sentence(cell);
  sentence.english = "* " + english_text(cell, mistake.group);
  sentence.correct = false;
  sentence.mistake = std::move(mistake.reason);
  return sentence;
}

Sentence with_spanish_mistake(size_t verb_index, Tense tense) {
  const PersonSwap swap = spanish_swap(tense);
  const Cell cell = make_cell(verb_index, tense, swap.subject);
  Mistake mistake = spanish_mistake(cell, swap.form);
  Sentence sentence = correct_sentence(cell);
  sentence.spanish = "* " + spanish_text(cell, mistake.group);
  sentence.correct = false;
  sentence.mistake = std::move(mistake.reason);
  return sentence;
}

std::vector<Sentence> build() {
  std::vector<Sentence> sentences;
  for (size_t verb = 0; verb < verbs().size(); ++verb) {
    for (int t = 0; t < kTenseCount; ++t) {
      const Tense tense = static_cast<Tense>(t);
      for (int p = 0; p < kPersonCount; ++p) {
        sentences.push_back(correct_sentence(make_cell(verb, tense, static_cast<Person>(p))));
      }
      sentences.push_back(with_english_mistake(verb, tense));
      sentences.push_back(with_spanish_mistake(verb, tense));
    }
  }
  return sentences;
}

}  // namespace

const std::vector<Sentence>& corpus() {
  static const std::vector<Sentence> sentences = build();
  return sentences;
}

}  // namespace gb::nn::grammar
