#include "ops/views/views.h"

#include <limits>

#include "autograd/node.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("permute, select, slice: other sizes, strides and offsets over the same memory") {
  const Tensor x = ramp({2, 3, 4});
  const Tensor p = x.permute({2, 0, 1});
  CHECK((p.sizes() == IntArrayRef{4, 2, 3}));
  CHECK((p.strides() == IntArrayRef{1, 12, 4}));
  const Tensor s = x.select(1, -1);
  CHECK((s.sizes() == IntArrayRef{2, 4}));
  CHECK(s.storage_offset() == 8);
  const Tensor every_second = x.slice(2, 1, {}, 2);
  CHECK((every_second.strides() == IntArrayRef{12, 4, 2}));
  check_values(every_second[0][0], {1, 3});
  check_values(x.narrow(0, -1, 1).select(0, 0)[2], {20, 21, 22, 23});
  for (const Tensor& view : {p, s, every_second}) {
    CHECK(view.is_alias_of(x));
    CHECK(view.is_view());
    CHECK(view._base().is_same(x));
  }
  x.zero_();
  CHECK(p._version() == 1);
}

TEST_CASE("slice keeps what lies inside, for any ends") {
  const Tensor x = ramp({5});
  constexpr int64_t most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
  check_values(x.slice(0, least, most, most), {0});
  check_values(x.slice(0, -2), {3, 4});
  check_values(x.slice(0, {}, -3), {0, 1});
  CHECK(x.slice(0, 3, 1).numel() == 0);
  CHECK(x.slice(0, 3, 1).storage_offset() == 3);
}

TEST_CASE("what they refuse") {
  const Tensor x = ramp({2, 3});
  CHECK(contains(message_of([&] { x.select(1, 5); }),
                 "select(): index 5 out of range for tensor of size [2, 3] at dimension 1"));
  CHECK_THROWS_AS(x.select(1, -4), IndexError);
  CHECK_THROWS_AS(x.select(2, 0), IndexError);
  CHECK(contains(message_of([&] { ramp({})[0]; }), "select() cannot be applied to a 0-dim tensor."));
  CHECK(contains(message_of([&] { x.slice(0, 0, 1, 0); }), "slice step must be positive"));
  CHECK(
      contains(message_of([&] { x.narrow(1, 2, 2); }), "start (2) + length (2) exceeds dimension size (3)."));
  CHECK(contains(message_of([&] { x.narrow(1, 2, -2); }), "narrow(): length must be non-negative."));
  CHECK(contains(message_of([&] { x.permute({0}); }), "input.dim() = 2 is not equal to len(dims) = 1"));
  CHECK(contains(message_of([&] { x.permute({0, -2}); }), "permute(): duplicate dims are not allowed."));
}

TEST_CASE("diagonal and alias") {
  const Tensor x = ramp({3, 4});
  check_values(x.diagonal(), {0, 5, 10});
  check_values(x.diagonal(-1, 1, 0), {1, 6, 11});
  CHECK(x.diagonal(-9).numel() == 0);
  CHECK((ramp({2, 3, 4}).diagonal(0, 0, 2).sizes() == IntArrayRef{3, 2}));
  CHECK((x.alias().is_alias_of(x) && !x.alias().is_same(x)));
  CHECK(contains(message_of([&] { x.diagonal(0, 1, -1); }), "diagonal dimensions cannot be identical 1, -1"));
}

TEST_CASE("names of nodes: narrow has none of its own") {
  const Tensor x = ramp({2, 3}).requires_grad_();
  CHECK(x.permute({1, 0}).grad_fn()->name() == "PermuteBackward0");
  CHECK(x[1].grad_fn()->name() == "SelectBackward0");
  CHECK(x.narrow(0, 0, 1).grad_fn()->name() == "SliceBackward0");
}
