#include "ops/reductions/reductions.h"

#include <cmath>

#include "autograd/autograd.h"
#include "autograd/node.h"
#include "core/autograd_state.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/t/t.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("sum over some dimensions, over all, with and without keepdim") {
  const Tensor x = ramp({2, 3, 2});
  check_values(x.sum(), {66});
  check_values(x.sum({1}), {6, 9, 24, 27});
  check_values(x.sum({0, -1}), {14, 22, 30});
  CHECK((x.sum({0, -1}, true).sizes() == IntArrayRef{1, 3, 1}));
  CHECK((x.sum(IntArrayRef{}, true).sizes() == IntArrayRef{1, 1, 1}));
  check_values(transpose(x, 0, 2).sum({1}), {6, 24, 9, 27});
  check_values(ramp({3}).expand({4, 3}).sum({0}), {0, 4, 8});
  check_values(sum(x, std::nullopt, false), {66});
}

TEST_CASE("dtypes of sums and means") {
  CHECK((ramp({3}, kInt).sum().scalar_type() == kLong));
  CHECK((ramp({3}, kBool).sum().scalar_type() == kLong));
  check_values(ramp({3}, kBool).sum(), {2});
  CHECK((ramp({3}, kLong).sum(kFloat).scalar_type() == kFloat));
  CHECK((ramp({3}, kInt).sum(kInt).scalar_type() == kInt));
  CHECK((ramp({3}, kHalf).mean().scalar_type() == kHalf));
  check_values(ramp({4}, kLong).mean(kDouble), {1.5});
  check_values(ramp({2, 4}).mean({1}), {1.5, 5.5});
}

TEST_CASE("nothing to reduce") {
  check_values(ramp({0}).sum(), {0});
  check_values(ramp({0}).mean(), {std::nan("")});
  check_values(ramp({2, 0}).sum({1}), {0, 0});
  CHECK((ramp({0, 3}).amax({1}).sizes() == IntArrayRef{0}));
  CHECK((ramp({0, 3}).sum({1}).sizes() == IntArrayRef{0}));
  check_values(ramp({}).sum({0}), {0});
  check_values(ramp({}).amax({-1}), {0});
}

TEST_CASE("amax") {
  const Tensor x = noise({3, 4});
  const std::vector<double> v = values(x);
  std::vector<double> rows;
  for (size_t i = 0; i < 3; ++i)
    rows.push_back(std::max(std::max(v[4 * i], v[4 * i + 1]), std::max(v[4 * i + 2], v[4 * i + 3])));
  check_values(x.amax({1}), rows);
  check_values(x.amax(), {std::max(rows[0], std::max(rows[1], rows[2]))});
  check_values(ramp({2, 2}, kLong).amax({0}), {2, 3});
}

TEST_CASE("amin, any and all") {
  const Tensor x = noise({3, 4});
  check_values(x.amin({1}), values(x.neg().amax({1}).neg()));
  check_values(ramp({2, 2}, kLong).amin({0}), {0, 1});
  CHECK(contains(message_of([] { ramp({2, 0}).amin({1}); }), "amin(): Expected reduction dim 1 to have non-zero size"));
  const Tensor bits = ramp({2, 2}, kInt).mul(ramp({2}, kInt));  // 0 1 0 3
  check_values(bits.any(0), {0, 1});
  check_values(bits.all(0), {0, 1});
  check_values(bits.any(1, true), {1, 1});
  check_values(bits.all(1), {0, 0});
  CHECK((bits.any().scalar_type() == kBool));
  check_values(any(ramp({0})), {0});
  check_values(all(ramp({0})), {1});
  CHECK(!any(ramp({2}).requires_grad_()).requires_grad());
}

TEST_CASE("any and all over a list of dimensions; an empty list leaves each element by itself") {
  const Tensor bits = ramp({2, 2, 2}, kInt).mul(ramp({2}, kInt));  // 0 1  0 3   0 5  0 7
  check_values(bits.any(IntArrayRef{0, 1}), {0, 1});
  check_values(bits.all(IntArrayRef{0, -1}), {0, 0});
  CHECK((bits.any(IntArrayRef{0, 2}, true).sizes() == IntArrayRef{1, 2, 1}));
  CHECK(bits.all(std::nullopt).dim() == 0);
  check_values(bits.any(IntArrayRef{}), {0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(contains(message_of([&] { bits.any(IntArrayRef{1, -2}); }), "dim 1 appears multiple times"));
}

TEST_CASE("prod") {
  const Tensor x = ramp({2, 3}).add(1);
  check_values(x.prod(), {720});
  check_values(x.prod(0), {4, 10, 18});
  check_values(x.t().prod(-1), {4, 10, 18});
  CHECK((x.prod(1, true).sizes() == IntArrayRef{2, 1}));
  CHECK((ramp({3}, kInt).prod().scalar_type() == kLong));
  CHECK((ramp({3}, kInt).prod(kInt).scalar_type() == kInt));
  check_values(ramp({3}).add(1).div(2).prod(kLong), {0});  // converted first: 0 * 1 * 1
  check_values(ramp({0}).prod(), {1});
  check_values(ramp({2, 0}).prod(1), {1, 1});
  check_values(full({64}, 3, kLong).prod(), {static_cast<double>(int64_t{8733086111712066817})});  // 3^64 wraps
  CHECK_THROWS_AS(x.prod(2), IndexError);
}

TEST_CASE("the gradient of prod, where factors are 0, and its gradient") {
  using Inputs = const std::vector<Tensor>&;
  for (const std::vector<double>& factors :
       {std::vector<double>{2, -1, 3, 0.5}, {2, 0, 3, 0.5}, {0, 2, 0, 3}, {0, 0, 0, 1}, {7}}) {
    const Tensor x = tensor(factors, kDouble);
    check_gradients([](Inputs in) { return in[0].prod(); }, {x.clone()});
    const auto gradient = [](Inputs in) {
      const AutoGradMode on(true);
      return autograd::grad({in[0].prod()}, {in[0]}, {}, true, true)[0];
    };
    check_gradients(gradient, {x.clone()});
  }
  check_gradients([](Inputs in) { return in[0].prod(1); }, {noise({2, 3, 4})});
  check_gradients([](Inputs in) { return in[0].prod(-1, true); }, {noise({2, 9})});
  check_gradients([](Inputs in) { return in[0].prod(0); }, {noise({})});
  const Tensor half = ramp({3}, kFloat).add(1).requires_grad_();
  half.prod(kDouble).backward();
  CHECK((half.grad().scalar_type() == kFloat));
  check_values(half.grad(), {6, 3, 2});
}

TEST_CASE("what the nodes of sum keep") {
  const auto kept = [](const Tensor& y) {
    std::string names;
    for (const autograd::SavedField& f : y.grad_fn()->saved()) names += std::string(f.name) + " ";
    return names;
  };
  const Tensor x = ramp({2, 3}).requires_grad_();
  CHECK(kept(x.sum()) == "self_sizes ");
  CHECK(kept(x.sum({1})) == "dim keepdim self_sizes ");
  CHECK(kept(x.amax({1})) == "dim keepdim result self ");
}

TEST_CASE("what reductions refuse") {
  const Tensor x = ramp({2, 3});
  CHECK(contains(message_of([&] { x.sum({0, -2}); }), "dim 0 appears multiple times in the list of dims"));
  CHECK(contains(message_of([&] { ramp({}).sum({0, 0}); }), "appears multiple times"));
  CHECK_THROWS_AS(x.sum({2}), IndexError);
  const std::string mean = message_of([] { ramp({3}, kLong).mean(); });
  CHECK(contains(mean,
                 "could not infer output dtype. Input dtype must be either a floating point or complex "
                 "dtype. Got: Long"));
  CHECK(contains(message_of([] {
                   ramp({2, 0}).amax({1});
                 }),
                 "Expected reduction dim 1 to have non-zero size"));
  CHECK(contains(message_of([] { ramp({0}).amax(); }),
                 "Expected reduction dim to be specified for input.numel() == 0"));
  CHECK_THROWS_AS(ramp({0}).amax(), IndexError);
}

TEST_CASE("sum_to_size undoes a broadcast") {
  const Tensor x = ramp({2, 3});
  check_values(x.sum_to_size({3}), {3, 5, 7});
  check_values(x.sum_to_size({2, 1}), {3, 12});
  CHECK((x.sum_to_size({1, 1}).sizes() == IntArrayRef{1, 1}));
  CHECK((x.sum_to_size({}).dim() == 0));
  CHECK(x.sum_to_size({2, 3}).is_same(x));
  CHECK(contains(message_of([&] { x.sum_to_size({2}); }), "size [2] is not expandable to size [2, 3]"));
  CHECK_THROWS_AS(x.sum_to_size({1, 2, 3}), Error);
}

TEST_CASE("gradients of reductions") {
  using Inputs = const std::vector<Tensor>&;
  check_gradients([](Inputs in) { return in[0].sum(); }, {noise({2, 3})});
  check_gradients([](Inputs in) { return in[0].sum({0}); }, {noise({2, 3, 2})});
  check_gradients([](Inputs in) { return in[0].mean({0, 2}, true); }, {noise({2, 3, 2})});
  check_gradients([](Inputs in) { return in[0].mean(); }, {noise({})});
  check_gradients([](Inputs in) { return in[0].amax({1}); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return in[0].amin({0}, true); }, {noise({3, 4})});
  check_gradients([](Inputs in) { return in[0].sum_to_size({3, 1}); }, {noise({2, 3, 2})});
}

TEST_CASE("equal maxima share their gradient evenly") {
  const Tensor x = ramp({2, 2}).mul(0);
  x.requires_grad_(true);
  x.amax().backward();
  check_values(x.grad(), {0.25, 0.25, 0.25, 0.25});
  x.amin().backward();
  check_values(x.grad(), {0.5, 0.5, 0.5, 0.5});
}
