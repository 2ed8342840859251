#include "ops/view/view.h"

#include "ops/t/t.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("view shares memory and walks the same elements") {
  const Tensor x = ramp({2, 6});
  const Tensor y = x.view({3, -1});
  CHECK((y.sizes() == IntArrayRef{3, 4}));
  CHECK((y.strides() == IntArrayRef{4, 1}));
  CHECK(y.is_alias_of(x));
  check_values(y, values(x));
  CHECK((x.view({12}).sizes() == IntArrayRef{12}));
  CHECK((ramp({1}).view({}).dim() == 0));
}

TEST_CASE("view of strided memory: a dimension may be split, not joined across a gap") {
  const Tensor x = ramp({4, 6}).t();  // [6, 4], strides [1, 6]
  const Tensor y = x.view({2, 3, 4});
  CHECK((y.strides() == IntArrayRef{3, 1, 6}));
  check_values(y, values(x));
  const std::string text = message_of([&] { x.view({24}); });
  CHECK(contains(text, "view size is not compatible with input tensor's size and stride"));
  CHECK(contains(text, "use reshape"));
  check_values(x.reshape({24}), values(x));
  CHECK_FALSE(x.reshape({24}).is_alias_of(x));
  CHECK(x.reshape({2, 3, 4}).is_alias_of(x));
}

TEST_CASE("view of an expanded tensor keeps the stride of 0 where it can") {
  const Tensor x = ramp({3}).expand({4, 3});
  CHECK((x.view({2, 2, 3}).strides() == IntArrayRef{0, 0, 1}));
  CHECK_THROWS_AS(x.view({12}), Error);
}

TEST_CASE("sizes that do not fit") {
  const Tensor x = ramp({8});
  CHECK(contains(message_of([&] { x.view({6}); }), "shape '[6]' is invalid for input of size 8"));
  CHECK(contains(message_of([&] { x.reshape({3, -1}); }), "shape '[3, -1]' is invalid for input of size 8"));
  CHECK(contains(message_of([&] { x.view({-1, -1}); }), "only one dimension can be inferred"));
  CHECK(contains(message_of([&] { x.view({-2, 4}); }), "invalid shape dimension -2"));
  CHECK(contains(message_of([&] { ramp({0}).view({0, -1}); }), "ambiguous"));
  CHECK(contains(message_of([&] { x.view({int64_t{1} << 62, 8}); }), "does not fit in 64 bits"));
}

TEST_CASE("no elements and no dimensions") {
  const Tensor none = ramp({0, 3});
  CHECK((none.view({5, 0}).sizes() == IntArrayRef{5, 0}));
  CHECK((none.view({-1, 3}).sizes() == IntArrayRef{0, 3}));
  CHECK((none.view({5, 0}).strides() == IntArrayRef{1, 1}));
  CHECK((ramp({}).view({1, 1}).sizes() == IntArrayRef{1, 1}));
}

TEST_CASE("flatten") {
  const Tensor x = ramp({2, 3, 4});
  CHECK((flatten(x, 1).sizes() == IntArrayRef{2, 12}));
  CHECK((flatten(x).sizes() == IntArrayRef{24}));
  CHECK((flatten(ramp({})).sizes() == IntArrayRef{1}));
  CHECK(contains(message_of([&] { flatten(x, 2, 0); }), "start_dim cannot come after end_dim"));
}

TEST_CASE("gradients of view and of a reshape that copies") {
  check_gradients(
      [](const std::vector<Tensor>& in) {
        return in[0].view({3, 2}).mul(in[0].view({3, 2}));
      },
      {noise({2, 3})});
  check_gradients([](const std::vector<Tensor>& in) { return in[0].t().reshape({6}).mul(in[1]); },
                  {noise({2, 3}), noise({6}, 2)});
}
