#include "ops/embedding/embedding.h"

#include "ops/t/t.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("embedding copies rows") {
  const Tensor table = ramp({4, 2}), index = ramp({2, 2}, kLong);  // 0, 1, 2, 3
  const Tensor rows = embedding(table, index);
  CHECK((rows.sizes() == IntArrayRef{2, 2, 2}));
  check_values(rows, {0, 1, 2, 3, 4, 5, 6, 7});
  check_values(embedding(table, ramp({2}, kInt)), {0, 1, 2, 3});
  check_values(embedding(ramp({2, 3}).t(), ramp({2}, kLong)), {0, 3, 1, 4});  // a transposed table
  CHECK((embedding(table, ramp({0}, kLong)).sizes() == IntArrayRef{0, 2}));
  CHECK((embedding(table, ramp({}, kLong)).sizes() == IntArrayRef{2}));
}

TEST_CASE("what embedding refuses") {
  const Tensor table = ramp({4, 2});
  const std::string text = message_of([&] { embedding(table, ramp({6}, kLong)); });
  CHECK(contains(text, "index 4 is out of bounds for dimension 0 with size 4"));
  CHECK_THROWS_AS(embedding(table, ramp({2}, kLong).mul(-1)), IndexError);
  CHECK(contains(message_of([&] { embedding(table, ramp({2})); }),
                 "one of the following scalar types: Long, Int"));
  CHECK(contains(message_of([&] { embedding(ramp({4}), ramp({2}, kLong)); }), "'weight' must be 2-D"));
  CHECK(contains(message_of([&] {
                   embedding_backward(ramp({2, 2}), ramp({2}, kLong), 4, -1, false, true);
                 }),
                 "sparse=True"));
  CHECK(contains(message_of([&] {
                   embedding_dense_backward(ramp({3, 2}), ramp({2}, kLong), 4, -1, false);
                 }),
                 "must have the sizes of indices and one dimension more"));
}

TEST_CASE("the gradient adds up rows that were chosen twice, and leaves the padding row out") {
  const Tensor grad = ramp({3, 2}).add(1),
               index = ramp({3}, kLong).mul(ramp({3}, kLong)).eq(1).to(kLong);  // 0, 1, 0
  check_values(embedding_dense_backward(grad, index, 3, -1, false), {6, 8, 3, 4, 0, 0});
  check_values(embedding_dense_backward(grad, index, 3, 1, false), {6, 8, 0, 0, 0, 0});
  check_values(embedding_dense_backward(grad, index, 3, -1, true), {3, 4, 3, 4, 0, 0});
}

TEST_CASE("gradients of embedding and of its backward") {
  const Tensor index = ramp({3}, kLong).eq(1).to(kLong);
  check_gradients([&](const std::vector<Tensor>& in) { return embedding(in[0], index); }, {noise({3, 2})});
  const auto backward = [&](const std::vector<Tensor>& in) {
    return embedding_dense_backward(in[0], index, 3, 1, false);
  };
  check_gradients(backward, {noise({3, 2})});
}
