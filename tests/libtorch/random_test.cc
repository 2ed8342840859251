// Seeded random calls in float32 and float64: shapes with zero and one in them, any layout, any dimension. The seed and
// the call are in every failure; GB_TEST_SEED=N starts elsewhere and GB_TEST_ROUNDS=N runs longer.
#include <doctest/doctest.h>

#include "tests/dice.h"
#include "tests/libtorch/bridge.h"
#include "tests/libtorch/compare.h"
#include "tests/op_case.h"

namespace gb::tests {
namespace {

std::vector<int64_t> random_sizes(Dice& dice, int64_t max_rank = 4) {
  std::vector<int64_t> sizes(static_cast<size_t>(dice.below(max_rank + 1)));
  for (int64_t& size : sizes) size = dice.chance(12) ? 0 : dice.chance(4) ? 1 : 1 + dice.below(7);
  return sizes;
}

// Sizes that broadcast with `sizes`: leading dimensions dropped, others set to 1. Rarely spoilt, so that both refuse.
std::vector<int64_t> broadcast_partner(Dice& dice, std::vector<int64_t> sizes) {
  sizes.erase(sizes.begin(), sizes.begin() + dice.below(static_cast<int64_t>(sizes.size()) + 1));
  for (int64_t& size : sizes)
    if (dice.chance(3)) size = 1;
  if (!sizes.empty() && dice.chance(15)) sizes.back() += 1;
  return sizes;
}

TensorSpec random_layout(Dice& dice, TensorSpec spec) {
  if (!spec.sizes.empty()) spec.form = static_cast<TensorSpec::Form>(dice.below(4));
  return spec;
}

std::vector<int64_t> random_dims(Dice& dice, size_t rank) {  // distinct, each from either end
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < static_cast<int64_t>(rank); ++d)
    if (dice.chance(2)) dims.push_back(dice.chance(2) ? d : d - static_cast<int64_t>(rank));
  return dims;
}

OpCase random_case(Dice& dice) {
  std::vector<int64_t> sizes = random_sizes(dice);
  const int64_t rank = static_cast<int64_t>(sizes.size());
  const auto any_dim = [&] { return rank == 0 ? dice.below(2) - 1 : dice.below(2 * rank) - rank; };
  switch (dice.below(9)) {
    case 0: {
      const char* const names[] = {"aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::div.Tensor"};
      TensorSpec other = random_layout(dice, input(broadcast_partner(dice, sizes))).between(0.5, 2);
      return op(names[dice.below(4)]).on(random_layout(dice, input(sizes)), other).loose(30);
    }
    case 1: {
      const char* const names[] = {"aten::neg", "aten::exp", "aten::log"};
      return op(names[dice.below(3)]).on(random_layout(dice, input(sizes)).between(0.1, 2));
    }
    case 2: {
      const char* const names[] = {"aten::sum.dim_IntList", "aten::mean.dim", "aten::amax"};
      return op(names[dice.below(3)]).on(random_layout(dice, input(sizes)), IValue(random_dims(dice, sizes.size())),
                                         dice.chance(2)).loose(10);
    }
    case 3:
      return op("aten::softmax.int").on(random_layout(dice, input(sizes)), any_dim()).loose(4);
    case 4: {
      const int64_t m = dice.below(6), k = dice.below(6), n = dice.below(6), k2 = dice.chance(10) ? k + 1 : k;
      return op("aten::mm").on(random_layout(dice, input({m, k})), random_layout(dice, input({k2, n}))).loose(4);
    }
    case 5: {
      const int64_t m = 1 + dice.below(5), k = 1 + dice.below(5), n = 1 + dice.below(5);
      std::vector<int64_t> leading = random_sizes(dice, 2);
      leading.push_back(k);
      if (dice.chance(2)) return op("aten::linear").on(input(leading), random_layout(dice, input({n, k})), input({n})).loose(4);
      return op("aten::addmm").on(input(dice.chance(2) ? std::vector<int64_t>{n} : std::vector<int64_t>{m, n}),
                                  random_layout(dice, input({m, k})), random_layout(dice, input({k, n}))).loose(4);
    }
    case 6: {
      std::vector<int64_t> larger = sizes;
      for (int64_t& size : larger)
        if (size == 1) size = dice.below(4);
      if (dice.chance(2)) larger.insert(larger.begin(), dice.below(3));
      return op("aten::expand").on(random_layout(dice, input(sizes)), IValue(larger));
    }
    case 7: {
      int64_t count = 1;
      for (const int64_t size : sizes) count *= size;
      std::vector<int64_t> wanted{-1};
      if (rank > 0 && count > 0) wanted = {sizes[0], -1};
      if (dice.chance(4)) wanted = {count};
      return op(dice.chance(2) ? "aten::view" : "aten::reshape").on(random_layout(dice, input(sizes)), IValue(wanted));
    }
    default: {
      const char* const names[] = {"aten::add_.Tensor", "aten::mul_.Tensor", "aten::copy_"};
      return op(names[dice.below(3)]).on(random_layout(dice, input(sizes)),
                                         random_layout(dice, input(broadcast_partner(dice, sizes)))).loose(30);
    }
  }
}

std::string shapes_of(const Stack& arguments) {
  std::string text;
  for (const IValue& argument : arguments)
    text += argument.isTensor() && argument.toTensor().defined()
                ? to_string(argument.toTensor().sizes()) + "/" + to_string(argument.toTensor().strides()) + " "
                : to_string(argument) + " ";
  return text;
}

void compare_random_calls(ScalarType dtype, bool with_gradients) {
  const uint64_t first = from_environment("GB_TEST_SEED", 1), rounds = from_environment("GB_TEST_ROUNDS", 600);
  for (uint64_t seed = first; seed < first + rounds; ++seed) {
    Dice dice(seed);
    const OpCase op_case = random_case(dice);
    Question question{.op = op_case.op, .arguments = {}, .requires_grad = {}};
    question.arguments = make_arguments(op_case, {.dtype = dtype, .seed = seed, .for_gradients = with_gradients});
    if (with_gradients) question.requires_grad = differentiable_positions(op_case, question.arguments);
    const auto text = difference(ask_glassbox(question), libtorch::ask(question), {.tolerance_factor = op_case.tolerance});
    CHECK_MESSAGE(!text, "seed ", seed, ": ", op_case.op, " ", shapes_of(question.arguments), ": ", text.value_or(""));
  }
}

TEST_CASE("random calls, float64") { compare_random_calls(kDouble, false); }
TEST_CASE("random calls, float32") { compare_random_calls(kFloat, false); }
TEST_CASE("random calls with gradients, float64") { compare_random_calls(kDouble, true); }
TEST_CASE("random calls with gradients, float32") { compare_random_calls(kFloat, true); }

}  // namespace
}  // namespace gb::tests
