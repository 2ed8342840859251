#include "nn/grammar/corpus.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <tuple>

#include "nn/grammar/text.h"

namespace gb::nn::grammar {
namespace {

// The sentence of a cell, or the first one wrong in the language asked for.
const Sentence& find(std::string_view base, Tense tense, Person person) {
  for (const Sentence& s : corpus()) {
    if (s.correct && s.verb->english.base == base && s.tense == tense && s.person == person) return s;
  }
  FAIL("no such cell");
  return corpus().front();
}

const Sentence& find_mistake(std::string_view base, Tense tense, bool in_spanish) {
  for (const Sentence& s : corpus()) {
    const std::string& text = in_spanish ? s.spanish : s.english;
    if (!s.correct && s.verb->english.base == base && s.tense == tense && text.front() == '*') return s;
  }
  FAIL("no such mistake");
  return corpus().front();
}

}  // namespace

TEST_CASE("360 correct sentences: every verb, tense and person exactly once") {
  std::set<std::tuple<const Verb*, Tense, Person>> cells;
  std::set<std::string> english, spanish;
  for (const Sentence& s : corpus()) {
    if (!s.correct) continue;
    CHECK(cells.emplace(s.verb, s.tense, s.person).second);
    // The English and the Spanish of a sentence are told apart from all others, so the pairs are one to one.
    CHECK(english.insert(s.english).second);
    CHECK(spanish.insert(s.spanish).second);
    CHECK(s.mistake.empty());
    CHECK(s.english.find('*') == std::string::npos);
    CHECK(s.spanish.find('*') == std::string::npos);
  }
  CHECK(cells.size() == 20 * 6 * 3);
}

TEST_CASE("Whole sentences, written by hand") {
  const Sentence& first = corpus().front();
  CHECK(first.english == "i eat bread every day");
  CHECK(first.spanish == "yo como pan cada día");

  const Sentence& past = find("read", Tense::kPast, Person::kThird);
  CHECK(past.english == "he read a novel yesterday");
  CHECK(past.spanish == "él leyó una novela ayer");

  const Sentence& future = find("say", Tense::kFuture, Person::kSecond);
  CHECK(future.english == "you will say hello tomorrow");
  CHECK(future.spanish == "tú dirás hola mañana");

  const Sentence& perfect = find("write", Tense::kPerfect, Person::kFirst);
  CHECK(perfect.english == "i have written letters this week");
  CHECK(perfect.spanish == "yo he escrito cartas esta semana");

  const Sentence& progressive = find("close", Tense::kProgressive, Person::kThird);
  CHECK(progressive.english == "she is closing the drawer again");
  CHECK(progressive.spanish == "ella está cerrando el cajón otra vez");

  const Sentence& conditional = find("make", Tense::kConditional, Person::kFirst);
  CHECK(conditional.english == "i would make the bed with more time");
  CHECK(conditional.spanish == "yo haría la cama con más tiempo");
}

TEST_CASE("240 mistakes: marked in one language, explained, and really wrong") {
  std::set<std::string> right;
  for (const Sentence& s : corpus()) {
    if (s.correct) right.insert({s.english, s.spanish});
  }
  int wrong_english = 0, wrong_spanish = 0;
  for (const Sentence& s : corpus()) {
    if (s.correct) continue;
    const bool in_english = s.english.starts_with("* "), in_spanish = s.spanish.starts_with("* ");
    CHECK(in_english != in_spanish);
    wrong_english += in_english;
    wrong_spanish += in_spanish;
    CHECK_FALSE(s.mistake.empty());
    const std::string& wrong = in_english ? s.english : s.spanish;
    CHECK_FALSE(right.contains(wrong.substr(2)));               // without its mark it is no correct text
    CHECK(right.contains(in_english ? s.spanish : s.english));  // and the other side is one
    // It differs from the right text of its cell, so the mark stands for a difference.
    const Sentence& cell = find(s.verb->english.base, s.tense, s.person);
    CHECK(wrong.substr(2) != (in_english ? cell.english : cell.spanish));
  }
  CHECK(wrong_english == 20 * 6);
  CHECK(wrong_spanish == 20 * 6);
}

TEST_CASE("What the mistakes say") {
  const Sentence& eat = find_mistake("eat", Tense::kPresent, false);
  CHECK(eat.english == "* he eat apples at night");
  CHECK(eat.spanish == "él come manzanas de noche");
  CHECK(eat.mistake == "with 'he' the present ends in -s: 'eats', not 'eat'");
  CHECK(find_mistake("read", Tense::kPast, false).mistake ==
        "'yesterday' asks for the past: 'read', not the present 'reads'");
  CHECK(find_mistake("buy", Tense::kFuture, false).mistake ==
        "after 'will' comes the base form: 'will buy', not 'will buys'");
  CHECK(find_mistake("sing", Tense::kPerfect, false).mistake ==
        "'he' takes 'has': 'has sung', not 'have sung'");
  CHECK(find_mistake("run", Tense::kProgressive, false).mistake ==
        "'i' takes 'am': 'am running', not 'is running'");
  CHECK(find_mistake("run", Tense::kConditional, false).mistake ==
        "after 'would' comes the base form: 'would run', not 'would running'");

  const Sentence& say = find_mistake("say", Tense::kPast, true);
  CHECK(say.english == "you said something yesterday");
  CHECK(say.spanish == "* tú dijo algo ayer");
  CHECK(say.mistake == "'tú' takes the second person: 'dijiste', not 'dijo' (third person)");
  CHECK(find_mistake("make", Tense::kConditional, true).mistake ==
        "'tú' takes the second person: 'harías', not 'haría' (third person)");
}

TEST_CASE("Texts are in lower case with single spaces") {
  for (const Sentence& s : corpus()) {
    for (const std::string& text : {s.english, s.spanish}) {
      CHECK(lower_case(text) == text);
      std::string joined;
      for (std::string_view word : split(text)) joined.append(joined.empty() ? "" : " ").append(word);
      CHECK(joined == text);
    }
  }
}

}  // namespace gb::nn::grammar
