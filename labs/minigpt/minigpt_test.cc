#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "labs/minigpt/curve.h"
#include "labs/minigpt/options.h"
#include "labs/minigpt/questions.h"
#include "labs/minigpt/training.h"
#include "nn/serialize/safetensors.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::labs::Training;
using gb::labs::TrainingOptions;
using gb::tests::contains;
using gb::tests::message_of;

namespace {

std::string path_of(const char* name) { return std::string(std::getenv("TEST_TMPDIR")) + "/" + name; }
std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

void train(Training& run, int steps) {
  for (int i = 0; i < steps; ++i) run.step();
}

}  // namespace

TEST_CASE("30 steps are 15 steps, a checkpoint and 15 steps, bit for bit") {
  for (double dropout : {0.0, 0.1}) {
    TrainingOptions options;
    options.batch = 8;
    options.dropout = dropout;
    Training whole(options);
    train(whole, 30);
    whole.save(path_of("whole"));

    Training first(options);
    train(first, 15);
    first.save(path_of("half"));
    Training second = Training::resumed(path_of("half"));
    CHECK(second.steps_done() == 15);
    train(second, 15);
    second.save(path_of("resumed"));
    CHECK(second.losses() == whole.losses());
    CHECK(bytes_of(path_of("resumed")) == bytes_of(path_of("whole")));
    CHECK(whole.losses().back() < whole.losses().front() - 1);
  }
}

TEST_CASE("what is no checkpoint is refused") {
  nn::save_file({{"w", ones({2})}}, path_of("other"));
  CHECK(contains(message_of([] { Training::resumed(path_of("other")); }), "is not a checkpoint of train_minigpt"));
  CHECK(contains(message_of([] { Training::resumed(path_of("missing")); }), "cannot read"));
}

TEST_CASE("questions: a fresh model knows nothing; the answers have the right form") {
  TrainingOptions options;
  const Training fresh(options);
  const double before = labs::perplexity(fresh.model(), fresh.split().held_out);
  CHECK(before > 500);
  CHECK(before < 700);  // 600 words, none more probable than another
  std::vector<nn::grammar::MinimalPair> some = nn::grammar::minimal_pairs(fresh.split());
  some.resize(20);
  const labs::Accuracy accuracy = labs::prefers_right(fresh.model(), some);
  CHECK(accuracy.pairs == 20);
  CHECK(accuracy.right >= 0);
  CHECK(labs::complete(fresh.model(), "i eat").starts_with("i eat"));
  CHECK(fresh.model()->is_training());
  CHECK(contains(message_of([&] { labs::complete(fresh.model(), "xyzzy"); }), "xyzzy"));
}

TEST_CASE("the curve as text and as a picture") {
  CHECK(labs::ascii_curve({3, 2, 1}, 10, 3) ==
        "   3.000 |*  \n"
        "   2.000 | * \n"
        "   1.000 |  *\n"
        "         +---\n"
        "          1 3\n");
  const std::string flat = labs::ascii_curve({1, 1}, 10, 3);
  CHECK(contains(flat, "1.000 |**"));
  CHECK(contains(labs::ascii_curve({2, std::nan(""), 1}, 10, 2), "2.000 |*  "));
  const std::string svg = labs::svg_curve({3, 2, 1});
  CHECK(svg.starts_with("<svg "));
  CHECK(contains(svg, "step 3"));
  CHECK(svg.ends_with("</svg>\n"));
}

TEST_CASE("flags") {
  const TrainingOptions given = labs::parse_training_options({"--steps=7", "--lr", "0.5", "--resume", "a", "--out", "b"});
  CHECK(given.steps == 7);
  CHECK(given.lr == 0.5);
  CHECK(given.resume == "a");
  CHECK(given.out == "b");
  CHECK(labs::parse_training_options({"--device", "cuda"}).device.is_cuda());
  CHECK(contains(message_of([] { labs::parse_training_options({"--device", "meta"}); }), "do not run on \"meta\""));
  CHECK(labs::parse_training_options({"-h"}).help);
  CHECK(contains(message_of([] { labs::parse_training_options({"--steps", "0"}); }), "not between 1 and"));
  CHECK(contains(message_of([] { labs::parse_training_options({"--lr", "x"}); }), "\"x\" is not a number"));
  CHECK(contains(message_of([] { labs::parse_training_options({"--epochs", "1"}); }), "unknown flag --epochs"));
}
