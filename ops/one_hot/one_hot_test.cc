#include "ops/one_hot/one_hot.h"

#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("one_hot") {
  check_values(one_hot(tensor({0, 2}, kLong)), {1, 0, 0, 0, 0, 1});
  CHECK((one_hot(tensor({0, 2}, kLong), 5).sizes() == IntArrayRef{2, 5}));
  CHECK((one_hot(ramp({2, 0}, kLong), 3).sizes() == IntArrayRef{2, 0, 3}));
  CHECK(contains(message_of([] { one_hot(tensor({-1}, kLong)); }), "Class values must be non-negative."));
  CHECK(contains(message_of([] { one_hot(tensor({3}, kLong), 3); }),
                 "Class values must be smaller than num_classes."));
  CHECK(contains(message_of([] { one_hot(ramp({0}, kLong)); }),
                 "Can not infer total number of classes from empty tensor."));
  CHECK(contains(message_of([] { one_hot(ramp({2})); }), "index tensor of type LongTensor"));
}
