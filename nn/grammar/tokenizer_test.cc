#include "nn/grammar/tokenizer.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "core/error.h"
#include "nn/grammar/text.h"

namespace gb::nn::grammar {
namespace {

using Ids = std::vector<int64_t>;

const Tokenizer& tokenizer() { return Tokenizer::instance(); }

template <typename Kind, typename Call>
std::string message(Call call) {
  try {
    call();
  } catch (const Kind& error) {
    return error.msg();
  }
  return "nothing was thrown";
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string say_next(std::string_view text) {
  return tokenizer().decode(next_tokens(tokenizer().encode(text)));
}

}  // namespace

TEST_CASE("The vocabulary has 600 tokens, and the groups of the tables add up to it") {
  CHECK(tokenizer().size() == 600);
  std::set<std::string> from_tables;
  size_t sum = 0;
  for (const VocabularyGroup& group : vocabulary_groups()) {
    CHECK_FALSE(group.words.empty());
    sum += group.words.size();
    from_tables.insert(group.words.begin(), group.words.end());
  }
  CHECK(sum == 600);
  CHECK(from_tables == std::set<std::string>(vocabulary().begin(), vocabulary().end()));
}

TEST_CASE("Every token is used by some line of the corpus") {
  std::set<int64_t> used;
  for (const Sentence& sentence : corpus()) {
    for (int64_t id : tokenizer().encode_line(sentence, 32)) used.insert(id);
  }
  CHECK(used.size() == 600);
  CHECK(*used.begin() == 0);
  CHECK(*used.rbegin() == 599);
}

TEST_CASE("Words that are no marks stand in correct sentences") {
  std::set<std::string> seen;
  for (const Sentence& s : corpus()) {
    if (!s.correct) continue;
    for (std::string_view word : split(s.english)) seen.emplace(word);
    for (std::string_view word : split(s.spanish)) seen.emplace(word);
  }
  for (int64_t id = kMark + 1; id < tokenizer().size(); ++id) CHECK(seen.contains(tokenizer().word(id)));
  CHECK(seen.size() == 595);
}

TEST_CASE("The report adds up before the reader's eyes") {
  const std::string report = vocabulary_report();
  CHECK(has(report, "marks                      5\n"));
  CHECK(has(report, "English verb forms        84\n"));
  CHECK(has(report, "Spanish verb forms       260\n"));
  CHECK(has(report, "Spanish auxiliaries        4  he has\n"));
  CHECK(has(report, "vocabulary               600\n"));
}

TEST_CASE("README.md quotes the report as it is") {
  std::ifstream file("nn/grammar/README.md");  // from the root of the workspace, where Bazel starts tests
  REQUIRE(file.good());
  std::ostringstream readme;
  readme << file.rdbuf();
  CHECK(has(readme.str(), "<!-- vocabulary_report -->\n```\n" + vocabulary_report() + "```\n"));
}

TEST_CASE("Ids: marks first, then the order of first appearance") {
  CHECK(tokenizer().encode("<pad> <bos> <eos> <sep> *") == Ids{kPad, kBos, kEos, kSep, kMark});
  CHECK(tokenizer().encode("i eat bread every day") == Ids{5, 6, 7, 8, 9});
  CHECK(tokenizer().encode("yo como pan cada día") == Ids{10, 11, 12, 13, 14});
  CHECK(tokenizer().encode("you").front() == 15);
}

TEST_CASE("Round trips") {
  for (const Sentence& s : corpus()) {
    CHECK(tokenizer().decode(tokenizer().encode(s.english)) == s.english);
    CHECK(tokenizer().decode(tokenizer().encode(s.spanish)) == s.spanish);
  }
  for (int64_t id = 0; id < tokenizer().size(); ++id) CHECK(tokenizer().id(tokenizer().word(id)) == id);
  CHECK(tokenizer().encode("").empty());
  CHECK(tokenizer().encode(" \t\n ").empty());
  CHECK(tokenizer().decode({}).empty());
  CHECK(tokenizer().encode("  I\tEAT \n") == Ids{5, 6});
  CHECK(tokenizer().encode("ÉL COMIÓ MAÑANA") == tokenizer().encode("él comió mañana"));
}

TEST_CASE("contains and id are exact") {
  CHECK(tokenizer().contains("comió"));
  CHECK_FALSE(tokenizer().contains("Comió"));
  CHECK_FALSE(tokenizer().contains(""));
  CHECK_FALSE(tokenizer().contains("i eat"));
  CHECK_THROWS_AS(tokenizer().id(""), ValueError);
}

TEST_CASE("Lines to train on") {
  const Sentence& first = corpus().front();
  CHECK(tokenizer().line_length(first) == 13);
  CHECK(tokenizer().encode_line(first, 15) == Ids{1, 5, 6, 7, 8, 9, 3, 10, 11, 12, 13, 14, 2, 0, 0});
  const std::string text = message<ValueError>([&] { tokenizer().encode_line(first, 12); });
  CHECK(has(text, "a line of 13 tokens does not fit into 12"));
  CHECK(has(text, "<bos> i eat bread every day <sep> yo como pan cada día <eos>"));
}

TEST_CASE("The next token: inside the text, in the corpus, or <eos>") {
  CHECK(say_next("i eat") == "eat bread");
  CHECK(say_next("yo como") == "como pan");
  CHECK(say_next("you will") == "will eat");
  CHECK(say_next("i eat bread every day") == "eat bread every day <eos>");
  CHECK(say_next("día bread") == "bread <eos>");  // never side by side
  CHECK(say_next("i") == "eat");
  CHECK(say_next("* he") == "he <eos>");  // mistakes teach nothing: no correct text has a mark
  CHECK(next_tokens({}).empty());
  CHECK(has(message<IndexError>([] { next_tokens({5, 600}); }), "token id 600 is out of range"));
}

TEST_CASE("An unknown word is named, with the closest words and the way to all of them") {
  const std::string text = message<ValueError>([] { tokenizer().encode("i eatt bread"); });
  CHECK(has(text, "gb::nn::grammar: unknown word 'eatt'"));
  CHECK(has(text, "the vocabulary is the 600 tokens of the grammar corpus"));
  CHECK(has(text, "the closest are 'eat', 'eats'"));
  CHECK(has(text, "bazel run //nn/grammar:show -- words"));
  CHECK(has(text, chapters::kGrammar));

  CHECK(has(message<ValueError>([] { tokenizer().encode("comio"); }), "'comió'"));
  CHECK(has(message<ValueError>([] { tokenizer().encode("eat."); }), "unknown word 'eat.'"));
}

TEST_CASE("Bytes that are no text, and absurd lengths, still give a readable error") {
  CHECK(has(message<ValueError>([] { tokenizer().encode("a\x01\xFF\xC3"); }),
            "unknown word 'a\\x01\\xFF\\xC3'"));
  CHECK(has(message<ValueError>([] { tokenizer().id("ŁÓDŹ"); }), "unknown word 'ŁÓDŹ'"));
  const std::string text = message<ValueError>([] { tokenizer().encode(std::string(1 << 20, 'x')); });
  CHECK(has(text, "unknown word '" + std::string(40, 'x') + "...'"));
  CHECK(text.size() < 1000);
}

TEST_CASE("Ids out of range") {
  CHECK(has(message<IndexError>([] { tokenizer().word(-1); }), "token id -1 is out of range"));
  CHECK(has(message<IndexError>([] { tokenizer().decode({5, 600}); }), "ids go from 0 to 599"));
}

TEST_CASE("Letters and distances count code points") {
  CHECK(letters("año").size() == 3);
  CHECK(edit_distance(letters("ano"), letters("año")) == 1);
  CHECK(edit_distance(letters("kitten"), letters("sitting")) == 3);
  CHECK(edit_distance(letters(""), letters("abc")) == 3);
  CHECK(lower_case("ÑANDÚ × À") == "ñandú × à");
}

}  // namespace gb::nn::grammar
