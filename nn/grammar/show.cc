// Prints the grammar corpus: `bazel run //nn/grammar:show -- report|words|corpus|mistakes`.
#include <fmt/format.h>

#include <string_view>

#include "nn/grammar/tokenizer.h"

namespace {

using namespace gb::nn::grammar;

void print_words() {
  for (int64_t id = 0; id < Tokenizer::instance().size(); ++id) {
    fmt::print("{:>4} {}\n", id, Tokenizer::instance().word(id));
  }
}

void print_sentences(bool correct) {
  for (const Sentence& sentence : corpus()) {
    if (sentence.correct != correct) continue;
    fmt::print("{}  |  {}\n", sentence.english, sentence.spanish);
    if (!correct) fmt::print("        {}\n", sentence.mistake);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "report";
  if (argc <= 2 && what == "report") {
    fmt::print("{}", vocabulary_report());
  } else if (argc <= 2 && what == "words") {
    print_words();
  } else if (argc <= 2 && (what == "corpus" || what == "mistakes")) {
    print_sentences(what == "corpus");
  } else {
    fmt::print(stderr, "usage: show [report | words | corpus | mistakes]\n");
    return 2;
  }
  return 0;
}
