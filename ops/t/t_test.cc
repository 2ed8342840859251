#include "ops/t/t.h"

#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("t exchanges two dimensions without moving an element") {
  const Tensor x = ramp({2, 3});
  const Tensor y = x.t();
  CHECK((y.sizes() == IntArrayRef{3, 2}));
  CHECK((y.strides() == IntArrayRef{1, 3}));
  CHECK(y.is_alias_of(x));
  check_values(y, {0, 3, 1, 4, 2, 5});
  CHECK((ramp({4}).t().sizes() == IntArrayRef{4}));
  CHECK(ramp({}).t().dim() == 0);
  CHECK(contains(message_of([&] {
                   ramp({1, 2, 3}).t();
                 }),
                 "t() expects a tensor with <= 2 dimensions, but self is 3D"));
}

TEST_CASE("transpose, unsqueeze, squeeze") {
  const Tensor x = ramp({2, 1, 3});
  CHECK((transpose(x, 0, -1).sizes() == IntArrayRef{3, 1, 2}));
  CHECK((transpose(x, 1, 1).sizes() == x.sizes()));
  CHECK((unsqueeze(x, -1).sizes() == IntArrayRef{2, 1, 3, 1}));
  CHECK((unsqueeze(x, 0).strides() == IntArrayRef{6, 3, 3, 1}));
  CHECK((unsqueeze(ramp({}), 0).sizes() == IntArrayRef{1}));
  CHECK((squeeze(x, 1).sizes() == IntArrayRef{2, 3}));
  CHECK((squeeze(x, 0).sizes() == x.sizes()));
  CHECK((squeeze(ramp({}), 0).dim() == 0));
  CHECK_THROWS_AS(transpose(x, 0, 3), IndexError);
  CHECK_THROWS_AS(unsqueeze(x, 4), IndexError);
  CHECK_THROWS_AS(squeeze(x, -4), IndexError);
}

TEST_CASE("gradients of the four") {
  check_gradients([](const std::vector<Tensor>& in) { return in[0].t().mul(in[1]); },
                  {noise({2, 3}), noise({3, 2}, 2)});
  check_gradients([](const std::vector<Tensor>& in) { return transpose(in[0], -1, 0); }, {noise({2, 2, 3})});
  check_gradients([](const std::vector<Tensor>& in) { return unsqueeze(in[0], -1).mul(in[0]); },
                  {noise({2})});
  check_gradients([](const std::vector<Tensor>& in) { return squeeze(in[0], -1); }, {noise({2, 1})});
  check_gradients([](const std::vector<Tensor>& in) { return squeeze(in[0], 0); }, {noise({2, 1})});
}
