#include "nn/grammar/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "nn/grammar/corpus.h"
#include "nn/grammar/english.h"
#include "nn/grammar/spanish.h"
#include "nn/grammar/text.h"

namespace gb::nn::grammar {
namespace {

const std::vector<std::string>& marks() {
  static const std::vector<std::string> kMarks = {"<pad>", "<bos>", "<eos>", "<sep>", "*"};
  return kMarks;
}

// Sorts words into groups: each into the first that names it.
class GroupBuilder {
 public:
  void open(std::string name) { groups_.push_back({std::move(name), {}, {}}); }

  void add(std::string_view text) {
    VocabularyGroup& group = groups_.back();
    for (std::string_view view : split(text)) {
      std::string word(view);
      if (seen_.insert(word).second) {
        group.words.push_back(std::move(word));
      } else if (!contains(group.words, word) && !contains(group.shared, word)) {
        group.shared.push_back(std::move(word));
      }
    }
  }

  std::vector<VocabularyGroup> take() { return std::move(groups_); }

 private:
  static bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  std::vector<VocabularyGroup> groups_;
  std::unordered_set<std::string> seen_;
};

// Calls visit(tense, person) for the 18 cells of a verb.
template <typename Visit>
void for_each_cell(Visit visit) {
  for (int tense = 0; tense < kTenseCount; ++tense) {
    for (int person = 0; person < kPersonCount; ++person) {
      visit(static_cast<Tense>(tense), static_cast<Person>(person));
    }
  }
}

// One group for each language, made by the same walk: `side` is &Phrase::english or &Phrase::spanish.
using Side = std::string_view Phrase::*;

void add_pronouns(GroupBuilder& builder, Side side) {
  for (bool feminine : {false, true}) {
    for (int person = 0; person < kPersonCount; ++person) {
      builder.add(pronoun(static_cast<Person>(person), feminine).*side);
    }
  }
}

void add_complements(GroupBuilder& builder, Side side) {
  for (const Verb& verb : verbs()) {
    for (const Phrase& phrase : verb.complements) builder.add(phrase.*side);
  }
}

void add_times(GroupBuilder& builder, Side side) {
  for (int tense = 0; tense < kTenseCount; ++tense) {
    for (const Phrase& phrase : time_phrases(static_cast<Tense>(tense))) builder.add(phrase.*side);
  }
}

// The last word of a verb group is the verb's own form; what stands before it is the auxiliary.
std::string own_form(const std::string& group) { return std::string(split(group).back()); }

}  // namespace

const std::vector<std::string>& vocabulary() {
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> words = marks();
    std::unordered_set<std::string> seen(words.begin(), words.end());
    for (const Sentence& sentence : corpus()) {
      for (std::string_view text : {std::string_view(sentence.english), std::string_view(sentence.spanish)}) {
        for (std::string_view word : split(text)) {
          if (seen.emplace(word).second) words.emplace_back(word);
        }
      }
    }
    return words;
  }();
  return kWords;
}

std::vector<VocabularyGroup> vocabulary_groups() {
  GroupBuilder builder;
  builder.open("marks");
  for (const std::string& mark : marks()) builder.add(mark);

  builder.open("English pronouns");
  add_pronouns(builder, &Phrase::english);
  builder.open("Spanish pronouns");
  add_pronouns(builder, &Phrase::spanish);

  builder.open("English auxiliaries");
  for_each_cell([&](Tense tense, Person person) { builder.add(english_auxiliary(tense, person)); });
  builder.open("Spanish auxiliaries");
  for_each_cell([&](Tense tense, Person person) { builder.add(spanish_auxiliary(tense, person)); });

  builder.open("English verb forms");
  for (const Verb& verb : verbs()) {
    for_each_cell([&](Tense t, Person p) { builder.add(own_form(english_group(verb.english, t, p))); });
  }
  builder.open("Spanish verb forms");
  for (const Verb& verb : verbs()) {
    for_each_cell([&](Tense t, Person p) { builder.add(own_form(spanish_group(verb.spanish, t, p))); });
  }

  builder.open("English complements");
  add_complements(builder, &Phrase::english);
  builder.open("Spanish complements");
  add_complements(builder, &Phrase::spanish);

  builder.open("English time phrases");
  add_times(builder, &Phrase::english);
  builder.open("Spanish time phrases");
  add_times(builder, &Phrase::spanish);
  return builder.take();
}

std::string vocabulary_report() {
  std::string report = fmt::format("{:<22}{:>6}  {}\n", "group", "words", "counted above");
  size_t sum = 0;
  for (const VocabularyGroup& group : vocabulary_groups()) {
    sum += group.words.size();
    std::string line =
        fmt::format("{:<22}{:>6}  {}", group.name, group.words.size(), fmt::join(group.shared, " "));
    line.erase(line.find_last_not_of(' ') + 1);
    report += line + "\n";
  }
  return report + fmt::format("{:<22}{:>6}\n", "vocabulary", sum);
}

}  // namespace gb::nn::grammar
