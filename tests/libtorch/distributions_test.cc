// The random operators against LibTorch's. The numbers differ, so what is compared is everything else: dtype, sizes,
// strides, tape, range, and whether two large samples, one from each, could be of one distribution (two_samples.h). And
// bad arguments: the two refuse the same ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ops/random/random.h"
#include "tests/libtorch/bridge.h"
#include "tests/libtorch/compare.h"
#include "tests/libtorch/two_samples.h"
#include "tests/op_case.h"

namespace gb::tests {
namespace {

constexpr int64_t kMany = 50000;
constexpr uint64_t kSeed = 20260731;

enum class By { kKolmogorovSmirnov, kChiSquare };
struct Draw {
  OpCase call;
  By by = By::kKolmogorovSmirnov;
  std::optional<double> least = {}, below = {};  // of the range: least included, below not
  int64_t columns = 1;                 // so many neighbours are one draw: an ordered choice of indices below 10
};

Question question_of(const OpCase& call, ScalarType dtype = kDouble) {
  return {.op = call.op, .arguments = make_arguments(call, {.dtype = dtype}), .requires_grad = {}};
}

std::vector<double> sample_of(const Answer& answer, int64_t columns) {
  const Tensor drawn = answer.outputs.at(0).toTensor();
  std::vector<double> sample;
  for (int64_t i = 0; i < drawn.numel(); ++i) {
    if (i % columns == 0) sample.push_back(0);
    sample.back() = 10 * sample.back() + element(drawn, i);
  }
  return sample;
}

void compare(const Draw& draw, ScalarType dtype = kDouble) {
  CAPTURE(draw.call.title());
  CAPTURE(std::string(toString(dtype)));
  const Question question = question_of(draw.call, dtype);
  manual_seed(kSeed);
  libtorch::manual_seed(kSeed);
  const Answer ours = ask_glassbox(question), theirs = libtorch::ask(question);
  REQUIRE(ours.error == "");
  const auto text = difference(ours, theirs, {.values = false});
  CHECK_MESSAGE(!text, text.value_or(""));
  const std::vector<double> a = sample_of(ours, draw.columns), b = sample_of(theirs, draw.columns);
  const TwoSamples result = draw.by == By::kChiSquare ? chi_square(a, b) : kolmogorov_smirnov(a, b);
  CAPTURE(result.statistic);
  CAPTURE(result.limit);
  CHECK(result.agree());
  for (const auto& sample : {a, b}) {
    if (draw.least) CHECK(*std::min_element(sample.begin(), sample.end()) >= *draw.least);
    if (draw.below) CHECK(*std::max_element(sample.begin(), sample.end()) < *draw.below);
  }
}

const std::vector<ScalarType> kFloating{kDouble, kFloat, kHalf, kBFloat16};

TEST_CASE("rand and randn, by dtype") {
  for (const ScalarType dtype : kFloating) {
    compare({op("aten::rand").on(ints({kMany / 2, 2})).with("dtype", dtype), By::kKolmogorovSmirnov, 0, 1});
    compare({op("aten::randn").on(ints({kMany})).with("dtype", dtype)});
  }
}

TEST_CASE("normal_ and uniform_, by dtype") {
  const TensorSpec any = input({kMany});
  for (const ScalarType dtype : kFloating) {
    compare({op("aten::normal_").on(any, -1.0, 0.5)}, dtype);
    compare({op("aten::uniform_").on(any, 2.0, 4.5), By::kKolmogorovSmirnov, 2}, dtype);
  }
  compare({op("aten::normal_", "deviation 0").on(any, 3.0, 0.0)});
  compare({op("aten::normal_", "transposed").on(input({kMany / 5, 5}).transposed())});
  compare({op("aten::uniform_", "stepped").on(any.stepped(), 0.0, 1.0), By::kKolmogorovSmirnov, 0, 1});
}

TEST_CASE("randint and random_") {
  for (const ScalarType dtype : {kLong, kInt, kFloat, kHalf}) {
    compare({op("aten::randint").on(7, ints({kMany})).with("dtype", dtype), By::kChiSquare, 0, 7});
    compare({op("aten::randint.low").on(-5, 6, ints({kMany})).with("dtype", dtype), By::kChiSquare, -5, 6});
  }
  compare({op("aten::randint", "one value").on(1, ints({kMany})), By::kChiSquare, 0, 1});
  compare({op("aten::randint", "a wide range").on(int64_t{1} << 40, ints({kMany})), By::kKolmogorovSmirnov, 0});
  compare({op("aten::random_.from").on(integers({kMany}, 0, 1), -2, 3), By::kChiSquare, -2, 3});
  compare({op("aten::random_.to").on(integers({kMany}, 0, 1, kBool), 2), By::kChiSquare, 0, 2});
  for (const ScalarType dtype : {kLong, kInt, kFloat})
    compare({op("aten::random_").on(integers({kMany}, 0, 1, dtype)), By::kKolmogorovSmirnov, 0});
}

TEST_CASE("bernoulli_ and bernoulli") {
  const TensorSpec third = input({kMany}).between(0.3, 0.3);
  for (const double p : {0.0, 0.25, 0.9, 1.0}) compare({op("aten::bernoulli_.float").on(input({kMany}), p), By::kChiSquare});
  compare({op("aten::bernoulli_.float", "bools").on(integers({kMany}, 0, 1, kBool), 0.25), By::kChiSquare});
  compare({op("aten::bernoulli_.float", "half").on(input({kMany}), 0.25), By::kChiSquare}, kHalf);
  compare({op("aten::bernoulli_.Tensor").on(integers({kMany}, 0, 1), third.constant()), By::kChiSquare});
  compare({op("aten::bernoulli_.Tensor", "broadcast").on(input({kMany / 4, 4}), input({4}).between(0, 1)),
           By::kChiSquare, {}, {}, 4});
  compare({op("aten::bernoulli").on(third), By::kChiSquare});
  compare({op("aten::bernoulli.p").on(input({kMany}), 0.6), By::kChiSquare});
}

TEST_CASE("multinomial: with replacement, and ordered choices without") {
  const TensorSpec weights = input({5}).between(0.1, 2), rows = input({kMany / 5, 4}).between(0.1, 2).expanded();
  for (const ScalarType dtype : kFloating) compare({op("aten::multinomial").on(weights, kMany, true), By::kChiSquare, 0, 5}, dtype);
  compare({op("aten::multinomial", "of rows").on(rows, 3, true), By::kChiSquare, {}, {}, 3});
  compare({op("aten::multinomial", "without replacement").on(rows, 2), By::kChiSquare, {}, {}, 2});
  compare({op("aten::multinomial", "every index").on(rows, 4), By::kChiSquare, {}, {}, 4});
}

TEST_CASE("dropout: what stays is scaled") {
  const TensorSpec ones = input({kMany}).between(1, 1);
  for (const double p : {0.0, 0.1, 0.5}) {
    compare({op("aten::dropout").on(ones, p, true), By::kChiSquare});
    compare({op("aten::native_dropout").on(ones, p, true), By::kChiSquare}, kFloat);
  }
  compare({op("aten::dropout", "all").on(ones, 1.0, true), By::kChiSquare});
  compare({op("aten::dropout", "not in training").on(ones, 0.5, false), By::kChiSquare});
}

TEST_CASE("bad arguments, and arguments at the edge: both refuse, or both do not") {
  const int64_t wide = int64_t{1} << 40;
  const TensorSpec x = input({3}), longs = integers({3}, 0, 1), bools = integers({3}, 0, 1, kBool);
  const TensorSpec weights = input({3}).between(0.1, 2);
  const double nan = std::nan("");
  const std::vector<OpCase> calls{
      op("aten::rand", "integers").on(ints({3})).with("dtype", kLong),
      op("aten::rand", "bools").on(ints({3})).with("dtype", kBool),
      op("aten::rand", "a negative size").on(ints({-1})),
      op("aten::randn", "integers").on(ints({3})).with("dtype", kInt),
      op("aten::randn", "nothing, of integers").on(ints({0})).with("dtype", kLong),
      op("aten::rand", "nothing, of integers").on(ints({0})).with("dtype", kLong),
      op("aten::randint", "an empty range").on(0, ints({3})),
      op("aten::randint", "an empty range, nothing to draw").on(0, ints({0})),
      op("aten::randint.low", "bounds swapped").on(3, 2, ints({3})),
      op("aten::randint", "beyond int32").on(wide, ints({3})).with("dtype", kInt),
      op("aten::randint", "all of int32").on(int64_t{1} << 31, ints({3})).with("dtype", kInt),
      op("aten::randint", "beyond bool").on(3, ints({3})).with("dtype", kBool),
      op("aten::randint.low", "below bool").on(-1, 1, ints({3})).with("dtype", kBool),
      op("aten::randint", "beyond half").on(70000, ints({3})).with("dtype", kHalf),
      op("aten::randint", "the largest half").on(65504, ints({3})).with("dtype", kHalf),
      op("aten::randint.low", "below half").on(-70000, 0, ints({3})).with("dtype", kHalf),
      op("aten::randint", "more than a float tells apart").on(wide, ints({3})).with("dtype", kFloat),
      op("aten::random_.from", "beyond int32").on(integers({3}, 0, 1, kInt), wide, none()),
      op("aten::random_.from", "from the largest on").on(bools, 1, none()),
      op("aten::random_.from", "beyond bool").on(bools, 2, none()),
      op("aten::random_.from", "from where doubles leave out integers").on(x, (int64_t{1} << 53) + 2, none()),
      op("aten::random_.from", "empty").on(longs, 5, 5),
      op("aten::random_.to", "zero").on(longs, 0),
      op("aten::normal_", "a negative deviation").on(x, 0.0, -1.0),
      op("aten::normal_", "a deviation that is no number").on(x, 0.0, nan),
      op("aten::normal_", "integers").on(longs),
      op("aten::normal_", "overlapping").on(input({3, 2}).expanded()),
      op("aten::uniform_", "bounds swapped").on(x, 1.0, 0.0),
      op("aten::uniform_", "one point").on(x, 1.0, 1.0),
      op("aten::uniform_", "integers").on(longs),
      op("aten::uniform_", "beyond half").on(x.as(kHalf), 0.0, 1e6),
      op("aten::uniform_", "infinite").on(x, 0.0, std::numeric_limits<double>::infinity()),
      op("aten::uniform_", "wider than the largest double").on(x, -1.7e308, 1.7e308),
      op("aten::bernoulli_.float", "above 1").on(x, 1.5),
      op("aten::bernoulli_.float", "below 0").on(x, -0.1),
      op("aten::bernoulli_.float", "no number").on(x, nan),
      op("aten::bernoulli_.Tensor", "above 1").on(x, x.between(1.5, 2)),
      op("aten::bernoulli_.Tensor", "integers").on(x, longs),
      op("aten::bernoulli_.Tensor", "integers, nothing to draw").on(input({0}), integers({0}, 0, 1)),
      op("aten::bernoulli_.Tensor", "does not broadcast").on(x, input({2}).between(0, 1)),
      op("aten::bernoulli", "above 1").on(x.between(1.5, 2)),
      op("aten::bernoulli", "integers").on(longs),
      op("aten::bernoulli.p", "below 0").on(x, -1.0),
      op("aten::multinomial", "none").on(weights, 0),
      op("aten::multinomial", "too many").on(weights, 4),
      op("aten::multinomial", "integers").on(longs, 1),
      op("aten::multinomial", "0-d").on(input({}), 1),
      op("aten::multinomial", "three dimensions").on(input({2, 2, 2}), 1),
      op("aten::multinomial", "negative").on(x.between(-2, -1), 1),
      op("aten::multinomial", "all 0").on(x.between(0, 0), 1),
      op("aten::multinomial", "all 0, with replacement").on(x.between(0, 0), 2, true),
      op("aten::multinomial", "no number").on(x.between(nan, nan), 1),
      op("aten::multinomial", "no rows").on(input({0, 3}), 1),
      op("aten::multinomial", "no weights").on(input({2, 0}), 1, true),
      op("aten::dropout", "above 1").on(x, 1.5, true),
      op("aten::dropout", "above 1, not in training").on(x, 1.5, false),
      op("aten::dropout", "below 0").on(x, -0.5, true),
      op("aten::dropout", "integers").on(longs, 0.5, true),
      op("aten::native_dropout", "above 1").on(x, 1.5, true),
  };
  for (const OpCase& call : calls) {
    CAPTURE(call.title());
    const Question question = question_of(call);
    const std::string ours = ask_glassbox(question).error, theirs = libtorch::ask(question).error;
    CAPTURE(ours);
    CAPTURE(theirs);
    CHECK(ours.empty() == theirs.empty());
  }
}

// That the tests of two_samples.h can say no.
TEST_CASE("two samples that differ a little are told apart") {
  std::vector<double> uniform, shifted, coin, other_coin;
  for (int i = 0; i < kMany; ++i) {
    const double u = (i + 0.5) / kMany;
    uniform.push_back(u);
    shifted.push_back(u + 0.02);
    coin.push_back(u < 0.25);
    other_coin.push_back(u < 0.27);
  }
  CHECK(kolmogorov_smirnov(uniform, uniform).agree());
  CHECK_FALSE(kolmogorov_smirnov(uniform, shifted).agree());
  CHECK(chi_square(coin, coin).agree());
  CHECK_FALSE(chi_square(coin, other_coin).agree());
}

}  // namespace
}  // namespace gb::tests
