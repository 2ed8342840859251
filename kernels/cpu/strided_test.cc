#include "kernels/cpu/strided.h"

#include <doctest/doctest.h>

#include <vector>

#include "core/error.h"

using namespace gb::cpu;

TEST_CASE("Dims merges dimensions that continue each other, in every operand") {
  Dims<2> it;
  it.push(2, {12, 12});
  it.push(3, {4, 4});
  it.push(4, {1, 1});
  CHECK(it.ndim == 1);
  CHECK(it.sizes[0] == 24);
  CHECK(it.strides[0][0] == 1);

  Dims<2> broadcast;  // the second operand is a row, repeated: no merge
  broadcast.push(3, {4, 0});
  broadcast.push(4, {1, 1});
  CHECK(broadcast.ndim == 2);

  Dims<2> scalar;  // the second operand is one number everywhere: merges
  scalar.push(3, {4, 0});
  scalar.push(4, {1, 0});
  CHECK(scalar.ndim == 1);
  CHECK(scalar.strides[1][0] == 0);

  Dims<1> ones;
  ones.push(1, {7});
  CHECK(ones.ndim == 0);
  CHECK(Strided<1>(ones).numel() == 1);

  Dims<1> empty;
  empty.push(0, {5});
  empty.push(5, {1});
  CHECK(Strided<1>(empty).numel() == 0);
}

TEST_CASE("Dims refuses more dimensions than kernels take") {
  Dims<1> it;
  for (int d = 0; d < kMaxDims; ++d) it.push(2, {d % 2 ? 3 : 100});
  CHECK(it.ndim == kMaxDims);
  CHECK_THROWS_WITH_AS(it.push(2, {5}), doctest::Contains("at most 64 dimensions"), gb::ValueError);
}

TEST_CASE("for_each_row visits rows in row-major order") {
  Dims<2> it;
  it.push(2, {100, 1});
  it.push(3, {10, 2});
  it.push(5, {1, 6});
  std::vector<int64_t> first, second;
  for_each_row(Strided<2>(it), [&](const int64_t* at) {
    first.push_back(at[0]);
    second.push_back(at[1]);
  });
  CHECK(first == std::vector<int64_t>{0, 10, 20, 100, 110, 120});
  CHECK(second == std::vector<int64_t>{0, 2, 4, 1, 3, 5});

  Dims<1> empty;
  empty.push(0, {10});
  empty.push(3, {1});
  int rows = 0;
  for_each_row(Strided<1>(empty), [&](const int64_t*) { ++rows; });
  CHECK(rows == 0);
}

TEST_CASE("sorted_by_stride turns a transposed space into a contiguous one") {
  Dims<2> it;
  it.push(3, {1, 1});
  it.push(4, {3, 3});
  CHECK(it.ndim == 2);
  const Dims<2> sorted = sorted_by_stride(Strided<2>(it));
  CHECK(sorted.ndim == 1);
  CHECK(sorted.sizes[0] == 12);
  CHECK(sorted.strides[1][0] == 1);
}
