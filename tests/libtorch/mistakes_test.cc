// The twelve mistakes before both libraries: what gradcheck and gradgradcheck say here is what the same checks, written
// plainly, say of LibTorch's tape, of the right formulas and of the wrong ones.
#include "tests/libtorch/verdicts.h"

#include <doctest/doctest.h>

#include <cmath>

#include "library/gradcheck.h"
#include "library/mistakes_glassbox.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

using libtorch::Verdict;
using libtorch::Verdicts;

Tensor leaf(const std::vector<int64_t>& sizes, size_t n) {
  const Tensor made = noise(sizes);
  for (int64_t i = 0; i < made.numel(); ++i) made.mutable_data_ptr<double>()[i] = libtorch::verdict_number(n, i);
  return made.requires_grad_();
}

// gb::gradcheck and gb::gradgradcheck say it, in both modes.
void check_says(const MistakeOf<GlassboxFunctions>& mistake, const MistakeOf<GlassboxFunctions>::F& f, const Verdict& verdict) {
  std::vector<Tensor> inputs, gradients;
  for (const std::vector<int64_t>& sizes : mistake.inputs) inputs.push_back(leaf(sizes, inputs.size()));
  for (const Tensor& y : f(inputs)) gradients.push_back(leaf(y.sizes().vec(), 100 + inputs.size() + gradients.size()));
  for (const bool fast : {false, true}) {
    CAPTURE(fast);
    const std::string first = message_of([&] { gradcheck(f, inputs, {.fast_mode = fast}); });
    const std::string second = message_of([&] { gradgradcheck(f, inputs, gradients, {.fast_mode = fast}); });
    CAPTURE(first);
    CAPTURE(second);
    CHECK(first.empty() == verdict.first.empty());
    CHECK(contains(first, verdict.first));
    CHECK(second.empty() == verdict.second.empty());
    CHECK(contains(second, verdict.second));
  }
}

void check_same(const Verdict& ours, const Verdict& theirs) {
  CHECK(ours.first == theirs.first);
  CHECK(ours.second == theirs.second);
  REQUIRE(ours.jacobian.size() == theirs.jacobian.size());
  for (size_t i = 0; i < ours.jacobian.size(); ++i) CHECK(std::abs(ours.jacobian[i] - theirs.jacobian[i]) <= 1e-12);
}

TEST_CASE("twelve mistakes, right and wrong: the verdicts are those of LibTorch's tape") {
  const std::vector<Verdicts> ours = libtorch::verdicts_by_glassbox(), theirs = libtorch::verdicts_by_libtorch();
  const auto mistakes = Mistakes::all();
  REQUIRE(mistakes.size() == 12);
  REQUIRE(ours.size() == 12);
  REQUIRE(theirs.size() == 12);
  for (size_t i = 0; i < 12; ++i) {
    CAPTURE(mistakes[i].name);
    CHECK(theirs[i].right.first == "");
    CHECK(theirs[i].right.second == "");
    CHECK(theirs[i].wrong.first.empty() == (mistakes[i].caught_by == CaughtBy::kGradgradcheck));
    CHECK_FALSE((theirs[i].wrong.first.empty() && theirs[i].wrong.second.empty()));
    check_same(ours[i].right, theirs[i].right);
    check_same(ours[i].wrong, theirs[i].wrong);
    check_says(mistakes[i], mistakes[i].right, theirs[i].right);
    check_says(mistakes[i], mistakes[i].wrong, theirs[i].wrong);
  }
}

}  // namespace
}  // namespace gb::tests
