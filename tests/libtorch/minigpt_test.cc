// The grammar MiniGPT learns the same in both libraries: same weights, same batches, 20 steps.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/libtorch/minigpt_trainer.h"

namespace {

using namespace gb::tests::libtorch;

void compare(bool single_precision, double bound) {
  MiniGptSetup setup{.single_precision = single_precision};
  const auto ours = make_glassbox_trainer(setup);
  const auto theirs = make_libtorch_trainer(setup);
  double first = 0, last = 0, worst = 0;
  for (int64_t step = 0; step < 20; ++step) {
    const MiniGptBatch batch = grammar_batch(step);
    last = ours->step(batch);
    if (step == 0) first = last;
    worst = std::max(worst, std::abs(last - theirs->step(batch)));
  }
  MESSAGE("loss ", first, " to ", last, ", largest difference ", worst);
  CHECK(worst <= bound);
  CHECK(std::abs(first - std::log(600)) < 0.1);  // nothing is known yet
  CHECK(last < first - 0.5);
}

}  // namespace

TEST_CASE("20 steps in float32: losses within 1e-5") { compare(true, 1e-5); }
TEST_CASE("20 steps in float64: losses within 1e-10") { compare(false, 1e-10); }
