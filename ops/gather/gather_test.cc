#include "ops/gather/gather.h"

#include "autograd/node.h"
#include "ops/t/t.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {
Tensor indices(IntArrayRef sizes, const std::vector<int64_t>& list) {
  const Tensor made = ramp(sizes, kLong);
  for (size_t i = 0; i < list.size(); ++i) made.mutable_data_ptr<int64_t>()[i] = list[i];
  return made;
}
}  // namespace

TEST_CASE("gather along either dimension") {
  const Tensor x = ramp({3, 4});
  check_values(gather(x, 1, indices({3, 2}, {0, 3, 1, 1, 2, 0})), {0, 3, 5, 5, 10, 8});
  check_values(gather(x, 0, indices({2, 3}, {0, 2, 1, 2, 2, 0})), {0, 9, 6, 8, 9, 2});
  check_values(gather(x.t(), -1, indices({2, 1}, {2, 0})), {8, 1});
  check_values(gather(x, 0, indices({4, 1}, {0, 1, 2, 0})), {0, 4, 8, 0});  // longer than self along dim
}

TEST_CASE("scatter_add adds repeated indices up and leaves self as it was") {
  const Tensor x = ramp({2, 3});
  const Tensor y = scatter_add(x, 1, indices({2, 2}, {0, 0, 2, 1}), ramp({2, 2}).add(1));
  check_values(y, {3, 1, 2, 3, 8, 8});
  check_values(x, {0, 1, 2, 3, 4, 5});
  check_values(scatter_add(x.t(), 0, indices({1, 2}, {2, 0}), ramp({1, 2}).add(10)), {0, 14, 1, 4, 12, 5});
}

TEST_CASE("scatter_add_ writes to self, counts a version, and keeps its node") {
  const Tensor x = ramp({2, 3});
  CHECK(x.scatter_add_(1, indices({2, 2}, {0, 0, 2, 1}), ramp({2, 2}).add(1)).is_same(x));
  check_values(x, {3, 1, 2, 3, 8, 8});
  CHECK(x._version() == 1);
  check_values(ramp({3}).scatter_add_(0, indices({6}, {1, 1, 1, 1, 1, 1}), ramp({6})), {0, 16, 2});
  const Tensor y = ramp({3}).requires_grad_().mul(1), src = ramp({2}).requires_grad_();
  y.scatter_add_(0, indices({2}, {2, 2}), src);
  CHECK(y.grad_fn()->name() == "ScatterAddBackward0");
  y.mul(ramp({3})).sum().backward();
  check_values(src.grad(), {2, 2});
}

TEST_CASE("scatter_add_ refuses before it writes") {
  const Tensor x = ramp({4});
  CHECK_THROWS_AS(x.scatter_add_(0, indices({2}, {0, 4}), ramp({2})), IndexError);
  CHECK(contains(message_of([&] { x.scatter_add_(0, indices({4}, {0, 1, 2, 3}), x); }), "refer to a single memory location"));
  CHECK(contains(message_of([&] { x.narrow(0, 0, 2).scatter_add_(0, indices({2}, {0, 1}), x.narrow(0, 1, 2)); }),
                 "refer to a single memory location"));
  CHECK(contains(message_of([&] { ramp({1}).expand({3}).scatter_add_(0, indices({1}, {0}), ramp({1})); }),
                 "more than one element of the written-to tensor"));
  check_values(x, {0, 1, 2, 3});
  CHECK(x._version() == 0);
}

TEST_CASE("scalars and nothing") {
  check_values(gather(ramp({}), 0, indices({}, {0})), {0});
  check_values(gather(ramp({3}), 0, indices({}, {2})), {2});
  CHECK((gather(ramp({3, 4}), 1, ramp({0}, kLong)).sizes() == IntArrayRef{0}));
  check_values(scatter_add(ramp({2}), 0, ramp({0}, kLong), ramp({2})), {0, 1});
}

TEST_CASE("an index out of bounds is named") {
  const Tensor x = ramp({3, 5});
  const std::string text = message_of([&] { gather(x, 1, indices({1, 2}, {0, 7})); });
  CHECK(contains(text, "index 7 is out of bounds for dimension 1 with size 5"));
  CHECK(contains(text, "element 1 of the index"));
  CHECK_THROWS_AS(gather(x, 1, indices({1, 1}, {-1})), IndexError);
  CHECK(contains(message_of([&] {
                   scatter_add(x, 0, indices({1, 1}, {3}), ramp({1, 1}));
                 }),
                 "index 3 is out of bounds for dimension 0 with size 3"));
}

TEST_CASE("what gather and scatter_add refuse") {
  const Tensor x = ramp({3, 5}), index = ramp({2, 2}, kLong);
  CHECK(contains(message_of([&] { gather(x, 1, ramp({2, 2})); }), "Expected dtype int64 for index"));
  CHECK(contains(message_of([&] { gather(x, 1, ramp({2}, kLong)); }),
                 "Index tensor must have the same number of dimensions"));
  CHECK(contains(message_of([&] {
                   gather(x, 1, ramp({4, 1}, kLong));
                 }),
                 "Size does not match at dimension 0"));
  CHECK_THROWS_AS(gather(x, 2, index), IndexError);
  CHECK(contains(message_of([&] {
                   scatter_add(x, 0, index, ramp({2, 2}, kFloat));
                 }),
                 "Expected self.dtype to be equal to src.dtype"));
  CHECK(contains(message_of([&] {
                   scatter_add(x, 0, index, ramp({1, 2}));
                 }),
                 "Expected index [2, 2] to be no larger"));
  const Tensor leaf = noise({3, 5});
  leaf.requires_grad_(true);
  CHECK(contains(message_of([&] { gather(leaf, 1, index, true); }), "sparse_grad=True is not supported"));
}

TEST_CASE("each is the other's gradient") {
  const Tensor index = indices({2, 3}, {0, 2, 2, 1, 1, 0});
  check_gradients([&](const std::vector<Tensor>& in) { return gather(in[0], 0, index); }, {noise({3, 4})});
  check_gradients([&](const std::vector<Tensor>& in) { return scatter_add(in[0], 1, index, in[1]); },
                  {noise({2, 3}), noise({2, 3}, 2)});
  check_gradients([&](const std::vector<Tensor>& in) { return in[0].mul(2).scatter_add_(1, index, in[1]); },
                  {noise({2, 3}), noise({2, 3}, 2)});
}
