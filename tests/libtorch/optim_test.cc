// Twenty steps of each optimizer from the same start on the same gradients: the parameters after every step agree.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/dice.h"
#include "tests/libtorch/optim_run.h"

using gb::tests::Dice;
using gb::tests::libtorch::OptimResult;
using gb::tests::libtorch::OptimRun;

namespace {

std::vector<OptimRun> runs() {
  std::vector<OptimRun> all;
  for (double weight_decay : {0.0, 0.01}) {
    all.push_back({.optimizer = "SGD", .weight_decay = weight_decay});
    all.push_back({.optimizer = "SGD", .momentum = 0.9, .dampening = 0.25, .weight_decay = weight_decay});
    all.push_back({.optimizer = "SGD", .momentum = 0.9, .weight_decay = weight_decay, .nesterov = true});
    all.push_back({.optimizer = "AdamW", .lr = 1e-3, .weight_decay = weight_decay});
    all.push_back({.optimizer = "AdamW", .lr = 1e-2, .weight_decay = weight_decay, .beta1 = 0.5, .beta2 = 0.9, .amsgrad = true});
  }
  all.push_back({.optimizer = "SGD", .momentum = 0.9, .max_norm = 1, .second_lr = 0.3});
  all.push_back({.optimizer = "AdamW", .max_norm = 1, .second_lr = 0.3});
  all.push_back({.optimizer = "AdamW", .max_norm = 1e9});  // clips nothing
  return all;
}

}  // namespace

TEST_CASE("20 steps: parameters within 1e-10 in float64 and 1e-5 in float32 of LibTorch's") {
  for (OptimRun run : runs()) {
    for (bool single_precision : {false, true}) {
      CAPTURE(run.optimizer);
      CAPTURE(run.momentum);
      CAPTURE(run.weight_decay);
      CAPTURE(single_precision);
      run.single_precision = single_precision;
      run.rows = 5;
      run.columns = 7;
      Dice dice(11);
      const auto draw = [&] {
        std::vector<double> numbers;
        for (int i = 0; i < 42; ++i) numbers.push_back(static_cast<double>(dice.below(2001) - 1000) / 256);
        return numbers;
      };
      run.start = draw();
      run.gradients.clear();
      for (int step = 0; step < 20; ++step) run.gradients.push_back(draw());
      const OptimResult ours = gb::tests::libtorch::optimize_by_glassbox(run),
                        theirs = gb::tests::libtorch::optimize_by_libtorch(run);
      REQUIRE(ours.parameters.size() == 20);
      REQUIRE(theirs.parameters.size() == 20);
      double worst = 0;
      for (size_t step = 0; step < 20; ++step) {
        for (size_t i = 0; i < 42; ++i) {
          worst = std::max(worst, std::abs(ours.parameters[step][i] - theirs.parameters[step][i]));
        }
      }
      CHECK(worst <= (single_precision ? 1e-5 : 1e-10));
      MESSAGE(run.optimizer, " ", single_precision ? "float32" : "float64", ": ", worst);
      CHECK(std::abs(ours.parameters[19][0] - run.start[0]) > 1e-3);  // it moved
      REQUIRE(ours.norms.size() == theirs.norms.size());
      for (size_t step = 0; step < ours.norms.size(); ++step) {
        CHECK(std::abs(ours.norms[step] - theirs.norms[step]) <= (single_precision ? 1e-4 : 1e-10));
      }
    }
  }
}
