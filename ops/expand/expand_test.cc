#include "ops/expand/expand.h"

#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("expand repeats by stride 0") {
  const Tensor x = ramp({2, 1});
  const Tensor y = x.expand({4, -1, 3});
  CHECK((y.sizes() == IntArrayRef{4, 2, 3}));
  CHECK((y.strides() == IntArrayRef{0, 1, 0}));
  CHECK(y.is_alias_of(x));
  check_values(y.sum({0}), {0, 0, 0, 4, 4, 4});
  CHECK((ramp({}).expand({2, 2}).strides() == IntArrayRef{0, 0}));
  CHECK((ramp({3}).expand({1, 3}).strides() == IntArrayRef{3, 1}));
  CHECK(ramp({2, 1}).expand({2, 0}).numel() == 0);
}

TEST_CASE("sizes whose product overflows are refused, by expand and by what would copy it") {
  const int64_t huge = int64_t{1} << 61;
  CHECK(contains(message_of([&] { ramp({1}).expand({huge}).clone(); }), "Storage size calculation overflowed"));
  CHECK(contains(message_of([&] { ramp({1}).expand({huge}).exp(); }), "Storage size calculation overflowed"));
  CHECK(contains(message_of([&] { ramp({1, 1}).expand({huge, 8}); }), "numel: integer multiplication overflow"));
  CHECK(ramp({1, 0}).expand({huge, 0}).numel() == 0);
}

TEST_CASE("what expand refuses") {
  const Tensor x = ramp({2, 3});
  CHECK(contains(message_of([&] { x.expand({3}); }),
                 "the number of sizes provided (1) must be greater or equal to the number of dimensions in "
                 "the tensor (2)"));
  CHECK(contains(
      message_of([&] {
        x.expand({3, 3});
      }),
      "The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0"));
  CHECK(contains(message_of([&] {
                   x.expand({-1, 2, 3});
                 }),
                 "isn't allowed in a leading, non-existing dimension 0"));
  CHECK(contains(message_of([&] { x.expand({-2, 3}); }), "must not be negative"));
}

TEST_CASE("the gradient of an expanded element is the sum over what it stood for") {
  check_gradients([](const std::vector<Tensor>& in) { return in[0].expand({4, 2, 3}); }, {noise({2, 1})});
  check_gradients([](const std::vector<Tensor>& in) { return in[0].expand({2, 3}); }, {noise({})});
}
