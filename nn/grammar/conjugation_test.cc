// Each expected word is written by hand from a grammar book's table, never from the rules under test.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "nn/grammar/english.h"
#include "nn/grammar/spanish.h"

namespace gb::nn::grammar {
namespace {

// The row of the table with this English base form.
const Verb& verb(std::string_view base) {
  for (const Verb& row : verbs()) {
    if (row.english.base == base) return row;
  }
  FAIL("no such verb: " << std::string(base));
  return verbs()[0];
}

using Words = std::vector<std::string>;

// base, -s form, past, participle, -ing form
Words english(std::string_view base) {
  const EnglishVerb& v = verb(base).english;
  return {std::string(v.base), english_third_person(v), english_past(v), english_participle(v),
          english_ing(v)};
}

// "como, comes, come": one text, so that a failed check prints it.
std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// One form in the three persons.
template <typename Form>
std::string persons(Form form, const SpanishVerb& v) {
  return joined({form(v, Person::kFirst), form(v, Person::kSecond), form(v, Person::kThird)});
}

std::string group(std::string_view base, Tense tense, bool in_spanish) {
  Words words;
  for (Person person : {Person::kFirst, Person::kSecond, Person::kThird}) {
    words.push_back(in_spanish ? spanish_group(verb(base).spanish, tense, person)
                               : english_group(verb(base).english, tense, person));
  }
  return joined(words);
}

}  // namespace

TEST_CASE("English principal parts of all twenty verbs") {
  CHECK(verbs().size() == 20);
  const std::vector<Words> expected = {
      {"eat", "eats", "ate", "eaten", "eating"},
      {"drink", "drinks", "drank", "drunk", "drinking"},
      {"sing", "sings", "sang", "sung", "singing"},
      {"study", "studies", "studied", "studied", "studying"},
      {"cook", "cooks", "cooked", "cooked", "cooking"},
      {"share", "shares", "shared", "shared", "sharing"},
      {"run", "runs", "ran", "run", "running"},
      {"buy", "buys", "bought", "bought", "buying"},
      {"write", "writes", "wrote", "written", "writing"},
      {"open", "opens", "opened", "opened", "opening"},
      {"read", "reads", "read", "read", "reading"},
      {"play", "plays", "played", "played", "playing"},
      {"sleep", "sleeps", "slept", "slept", "sleeping"},
      {"close", "closes", "closed", "closed", "closing"},
      {"order", "orders", "ordered", "ordered", "ordering"},
      {"watch", "watches", "watched", "watched", "watching"},
      {"make", "makes", "made", "made", "making"},
      {"bring", "brings", "brought", "brought", "bringing"},
      {"drive", "drives", "drove", "driven", "driving"},
      {"say", "says", "said", "said", "saying"},
  };
  for (const Words& words : expected) CHECK(joined(english(words[0])) == joined(words));
}

TEST_CASE("English tenses") {
  CHECK(group("eat", Tense::kPresent, false) == "eat, eat, eats");
  CHECK(group("eat", Tense::kPast, false) == "ate, ate, ate");
  CHECK(group("eat", Tense::kFuture, false) == "will eat, will eat, will eat");
  CHECK(group("write", Tense::kPerfect, false) == "have written, have written, has written");
  CHECK(group("run", Tense::kProgressive, false) == "am running, are running, is running");
  CHECK(group("watch", Tense::kConditional, false) == "would watch, would watch, would watch");
}

TEST_CASE("Spanish present: regular, stem-changing, irregular in the first person") {
  auto present = [](std::string_view base) { return group(base, Tense::kPresent, true); };
  CHECK(present("sing") == "canto, cantas, canta");
  CHECK(present("study") == "estudio, estudias, estudia");
  CHECK(present("eat") == "como, comes, come");
  CHECK(present("share") == "comparto, compartes, comparte");
  CHECK(present("read") == "leo, lees, lee");
  CHECK(present("play") == "juego, juegas, juega");
  CHECK(present("sleep") == "duermo, duermes, duerme");
  CHECK(present("close") == "cierro, cierras, cierra");
  CHECK(present("order") == "pido, pides, pide");
  CHECK(present("watch") == "veo, ves, ve");
  CHECK(present("make") == "hago, haces, hace");
  CHECK(present("bring") == "traigo, traes, trae");
  CHECK(present("drive") == "conduzco, conduces, conduce");
  CHECK(present("say") == "digo, dices, dice");
}

TEST_CASE("Spanish preterite: regular, spelling, weak stem, strong stem") {
  auto past = [](std::string_view base) { return group(base, Tense::kPast, true); };
  CHECK(past("buy") == "compré, compraste, compró");
  CHECK(past("drink") == "bebí, bebiste, bebió");
  CHECK(past("open") == "abrí, abriste, abrió");
  CHECK(past("play") == "jugué, jugaste, jugó");
  CHECK(past("close") == "cerré, cerraste, cerró");
  CHECK(past("read") == "leí, leíste, leyó");
  CHECK(past("watch") == "vi, viste, vio");
  CHECK(past("sleep") == "dormí, dormiste, durmió");
  CHECK(past("order") == "pedí, pediste, pidió");
  CHECK(past("make") == "hice, hiciste, hizo");
  CHECK(past("bring") == "traje, trajiste, trajo");
  CHECK(past("drive") == "conduje, condujiste, condujo");
  CHECK(past("say") == "dije, dijiste, dijo");
}

TEST_CASE("Spanish future and conditional share their stem") {
  CHECK(group("cook", Tense::kFuture, true) == "cocinaré, cocinarás, cocinará");
  CHECK(group("cook", Tense::kConditional, true) == "cocinaría, cocinarías, cocinaría");
  CHECK(group("make", Tense::kFuture, true) == "haré, harás, hará");
  CHECK(group("make", Tense::kConditional, true) == "haría, harías, haría");
  CHECK(group("say", Tense::kFuture, true) == "diré, dirás, dirá");
  CHECK(group("say", Tense::kConditional, true) == "diría, dirías, diría");
  CHECK(group("bring", Tense::kFuture, true) == "traeré, traerás, traerá");
}

TEST_CASE("Spanish participles and gerunds of all twenty verbs") {
  const std::vector<Words> expected = {
      {"eat", "comido", "comiendo"},         {"drink", "bebido", "bebiendo"},
      {"sing", "cantado", "cantando"},       {"study", "estudiado", "estudiando"},
      {"cook", "cocinado", "cocinando"},     {"share", "compartido", "compartiendo"},
      {"run", "corrido", "corriendo"},       {"buy", "comprado", "comprando"},
      {"write", "escrito", "escribiendo"},   {"open", "abierto", "abriendo"},
      {"read", "leído", "leyendo"},          {"play", "jugado", "jugando"},
      {"sleep", "dormido", "durmiendo"},     {"close", "cerrado", "cerrando"},
      {"order", "pedido", "pidiendo"},       {"watch", "visto", "viendo"},
      {"make", "hecho", "haciendo"},         {"bring", "traído", "trayendo"},
      {"drive", "conducido", "conduciendo"}, {"say", "dicho", "diciendo"},
  };
  CHECK(expected.size() == verbs().size());
  for (const Words& words : expected) {
    const SpanishVerb& v = verb(words[0]).spanish;
    CHECK(spanish_participle(v) == words[1]);
    CHECK(spanish_gerund(v) == words[2]);
  }
  CHECK(group("write", Tense::kPerfect, true) == "he escrito, has escrito, ha escrito");
  CHECK(group("say", Tense::kProgressive, true) == "estoy diciendo, estás diciendo, está diciendo");
}

TEST_CASE("The spelling rules hold for verbs outside the table") {
  CHECK(persons(spanish_preterite, {.infinitive = "buscar"}) == "busqué, buscaste, buscó");
  CHECK(persons(spanish_preterite, {.infinitive = "empezar"}) == "empecé, empezaste, empezó");
  CHECK(persons(spanish_preterite, {.infinitive = "creer"}) == "creí, creíste, creyó");
  CHECK(english_past({.base = "stop", .doubles = true}) == "stopped");
  CHECK(english_ing({.base = "see"}) == "seeing");
  CHECK(english_third_person({.base = "wash"}) == "washes");
  CHECK(english_past({.base = "carry"}) == "carried");
}

}  // namespace gb::nn::grammar
