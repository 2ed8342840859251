#include "ops/split/split.h"

#include "autograd/node.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("split, split_with_sizes, chunk, unbind: views that cover a dimension") {
  const Tensor x = ramp({5, 2});
  const std::vector<Tensor> parts = x.split(2);
  REQUIRE(parts.size() == 3);
  check_values(parts[1], {4, 5, 6, 7});
  CHECK((parts[2].sizes() == IntArrayRef{1, 2}));
  for (const Tensor& part : parts) CHECK((part.is_view() && part._base().is_same(x)));
  check_values(x.split({1, 4})[1][0], {2, 3});
  CHECK(x.chunk(4).size() == 3);  // parts of two: fewer than asked for
  CHECK((ramp({0, 2}).chunk(3).size() == 3));
  CHECK(x.unbind(1).size() == 2);
  check_values(x.unbind(-1)[1], {1, 3, 5, 7, 9});
  CHECK((ramp({0, 2}).unbind().empty()));
}

TEST_CASE("what they refuse") {
  const Tensor x = ramp({5, 2});
  CHECK(contains(message_of([&] { x.split(-1); }),
                 "split expects split_size be non-negative, but got split_size=-1"));
  CHECK(contains(message_of([&] { x.split(0); }), "split_size can only be 0 if dimension size is 0"));
  CHECK(contains(message_of([&] {
                   x.split_with_sizes({1, 3});
                 }),
                 "to sum exactly to 5 (input tensor's size at dimension 0)"));
  CHECK(contains(message_of([&] { x.split_with_sizes({6, -1}); }), "have only non-negative entries"));
  CHECK(contains(message_of([&] { x.chunk(0); }), "chunk expects `chunks` to be greater than 0, got: 0"));
  CHECK(contains(message_of([&] { ramp({}).unbind(); }), "tensor has no dimensions"));
  CHECK_THROWS_AS(x.split(1, 2), IndexError);
}

TEST_CASE("one node, an output per part") {
  const Tensor x = ramp({4, 2}).requires_grad_();
  const std::vector<Tensor> parts = x.chunk(2);
  CHECK(parts[0].grad_fn()->name() == "SplitBackward0");
  CHECK(parts[0].grad_fn() == parts[1].grad_fn());
  CHECK(parts[1].output_nr() == 1);
  CHECK(x.split({1, 3})[0].grad_fn()->name() == "SplitWithSizesBackward0");
  CHECK(x.unbind()[3].grad_fn()->name() == "UnbindBackward0");
}

TEST_CASE("gradients, where only some of the parts are used") {
  const auto second = [](auto&& parts) { return parts[1].mul(parts[1]); };
  check_gradients([&](const std::vector<Tensor>& in) { return second(in[0].split(2)); }, {noise({5, 2})});
  check_gradients(
      [&](const std::vector<Tensor>& in) {
        return second(in[0].split({1, 2, 2}, 0));
      },
      {noise({5, 2})});
  check_gradients([&](const std::vector<Tensor>& in) { return second(in[0].unbind(1)); }, {noise({3, 2})});
  check_gradients([&](const std::vector<Tensor>& in) { return second(in[0].chunk(2, -1)); }, {noise({3, 3})});
}
