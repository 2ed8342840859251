#include "ops/index_select/index_select.h"

#include "autograd/node.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("index_select and index_add") {
  const Tensor x = ramp({3, 2}), index = tensor({2, 0, 2}, kLong);
  check_values(x.index_select(0, index), {4, 5, 0, 1, 4, 5});
  check_values(x.t().index_select(1, index), {4, 0, 4, 5, 1, 5});
  check_values(x.index_select(1, tensor(1, kInt)), {1, 3, 5});
  check_values(x.index_add(0, index, ramp({3, 2}), 2), {4, 7, 2, 3, 12, 17});
  check_values(x, {0, 1, 2, 3, 4, 5});
  x.index_add_(0, index, ramp({3, 2}));
  check_values(x, {2, 4, 2, 3, 8, 11});
  CHECK(x._version() == 1);
}

TEST_CASE("what they refuse") {
  const Tensor x = ramp({3, 2});
  CHECK(contains(message_of([&] {
                   x.index_select(0, tensor({0, 3}, kLong));
                 }),
                 "index 3 is out of bounds for dimension 0 with size 3"));
  CHECK(contains(message_of([&] {
                   x.index_select(0, ramp({2, 2}, kLong));
                 }),
                 "Index is supposed to be a vector"));
  CHECK(
      contains(message_of([&] { x.index_select(0, ramp({2})); }), "Expected dtype int32 or int64 for index"));
  const Tensor index = tensor({0, 1}, kLong);
  CHECK(contains(message_of([&] {
                   x.index_add(0, index, ramp({3, 2}));
                 }),
                 "Number of indices (2) should be equal to source.size(dim)"));
  CHECK(contains(message_of([&] {
                   x.index_add(0, index, ramp({2, 2}, kFloat));
                 }),
                 "must have the same scalar type"));
  CHECK(contains(message_of([&] {
                   x.index_add(0, index, ramp({2, 3}));
                 }),
                 "source tensor shape must match self tensor shape"));
}

TEST_CASE("names of nodes, of the second derivative too") {
  const Tensor x = ramp({3}).requires_grad_(), index = tensor({2, 0}, kLong);
  const Tensor y = x.index_select(0, index);
  CHECK(y.grad_fn()->name() == "IndexSelectBackward0");
  CHECK(index_select_backward(y, {3}, 0, index).grad_fn()->name() == "IndexAddBackward0");
}
