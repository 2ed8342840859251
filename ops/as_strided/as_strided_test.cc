#include "ops/as_strided/as_strided.h"

#include "ops/t/t.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("as_strided reads any geometry over the storage") {
  const Tensor x = ramp({6});
  check_values(as_strided(x, {2, 2}, {1, 2}), {0, 2, 1, 3});
  check_values(as_strided(x, {3, 2}, {1, 1}, 2), {2, 3, 3, 4, 4, 5});  // overlapping
  CHECK(as_strided(x, {2}, {1}, 4).storage_offset() == 4);
  CHECK(as_strided(x, {0, 9}, {1, 1}).numel() == 0);
  CHECK(as_strided(x, {2}, {1}).is_alias_of(x));
}

TEST_CASE("what as_strided refuses") {
  const Tensor x = ramp({6});
  CHECK(contains(message_of([&] { as_strided(x, {2}, {1, 1}); }), "mismatch in length of strides and shape"));
  CHECK(contains(message_of([&] { as_strided(x, {2}, {-1}); }), "negative"));
  const std::string outside = message_of([&] { as_strided(x, {4}, {2}); });
  CHECK(contains(outside, "out of bounds for storage of size 48"));
  CHECK(contains(outside, "requires a storage size of 56 bytes"));
  CHECK(contains(message_of([&] { as_strided(x, {3}, {int64_t{1} << 62}); }), "does not fit in 64 bits"));
}

TEST_CASE("gradients through the storage, overlapping ones too") {
  check_gradients(
      [](const std::vector<Tensor>& in) {
        return as_strided(in[0], {3, 2}, {1, 1}, 1);
      },
      {noise({6})});
  check_gradients(
      [](const std::vector<Tensor>& in) {
        return as_strided(in[0].t(), {2, 2}, {3, 1});
      },
      {noise({2, 3})});
}

TEST_CASE("elements of the input that share a place share its gradient") {
  const Tensor x = noise({3});
  x.requires_grad_(true);
  const Tensor rows = x.expand({2, 3}).detach().requires_grad_(true);
  as_strided(rows, {3}, {1}).sum().backward();
  check_values(rows.grad(), {0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  as_strided(x.expand({2, 3}), {3}, {1}).sum().backward();
  check_values(x.grad(), {1, 1, 1});
}
