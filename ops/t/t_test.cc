#include "ops/t/t.h"

#include "autograd/node.h"
#include "ops/ops.h"
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

TEST_CASE("in place: the tensor itself gets the geometry, nobody else, and it counts as a write") {
  const Tensor x = ramp({2, 1, 3}), view = x.select(1, 0);
  CHECK(x.transpose_(0, -1).is_same(x));
  CHECK((x.sizes() == IntArrayRef{3, 1, 2}));
  CHECK((x.strides() == IntArrayRef{1, 3, 3}));
  CHECK((view.sizes() == IntArrayRef{2, 3}));
  check_values(view, {0, 1, 2, 3, 4, 5});
  x.squeeze_(0);  // a size of 3 stays
  CHECK((x.squeeze_().sizes() == IntArrayRef{3, 2}));
  CHECK((x.t_().unsqueeze_(-1).sizes() == IntArrayRef{2, 3, 1}));
  CHECK((x.unsqueeze_(0).squeeze_(IntArrayRef{0, -1}).sizes() == IntArrayRef{2, 3}));
  CHECK(x._version() == 7);
  CHECK(x.is_contiguous());
  CHECK(contains(message_of([&] { ramp({1, 2, 3}).t_(); }), "t_() expects a tensor with <= 2 dimensions, but self is 3D"));
  CHECK_THROWS_AS(x.transpose_(0, 2), IndexError);
  CHECK_THROWS_AS(x.unsqueeze_(-4), IndexError);
  CHECK_THROWS_AS(x.squeeze_(2), IndexError);
  CHECK(x._version() == 7);
}

TEST_CASE("in place on a view: its own history goes on, and the base is what it was") {
  const Tensor x = noise({2, 3}).requires_grad_();
  const Tensor base = x * 2, view = base.alias();
  view.t_();
  CHECK(view.grad_fn()->name() == "TBackward1");
  CHECK(view.grad_fn()->next_edge(0).function->name() == "AliasBackward0");
  CHECK(base.grad_fn()->name() == "MulBackward1");
  CHECK(view.is_view());
  CHECK(base._version() == 1);
  CHECK(contains(message_of([&] { x.t_(); }), "a leaf Variable that requires grad is being used in an in-place operation"));
  CHECK(contains(message_of([&] { base.split(1, 0)[0].squeeze_(); }), "returns multiple views"));
}

TEST_CASE("in place: hooks stay with the old value, a retained gradient is of the new one") {
  const Tensor x = noise({2, 3}).requires_grad_();
  const Tensor h = x * 2;
  std::vector<int64_t> seen;
  h.register_hook([&](const Tensor& g) { seen = g.sizes().vec(); });
  h.retain_grad();
  h.t_();
  h.sum().backward();
  CHECK(seen == std::vector<int64_t>{2, 3});
  CHECK((h.grad().sizes() == IntArrayRef{3, 2}));
}

TEST_CASE("gradients of the forms in place") {
  check_gradients([](const std::vector<Tensor>& in) { return (in[0] * 1).t_().mul(in[1]); },
                  {noise({2, 3}), noise({3, 2}, 2)});
  check_gradients([](const std::vector<Tensor>& in) { return (in[0] * 1).transpose_(-1, 0).mul(in[1]); },
                  {noise({2, 2, 3}), noise({3, 2, 2}, 2)});
  check_gradients([](const std::vector<Tensor>& in) { return (in[0] * 1).unsqueeze_(-1).mul(in[0]); }, {noise({2})});
  check_gradients([](const std::vector<Tensor>& in) { return (in[0] * 1).squeeze_().mul(in[1]); },
                  {noise({1, 3, 1}), noise({3}, 2)});
  check_gradients([](const std::vector<Tensor>& in) { return (in[0] * 1).squeeze_(-1).mul(in[1]); },
                  {noise({2, 1}), noise({2}, 2)});
  check_gradients([](const std::vector<Tensor>& in) { return (in[0] * 1).squeeze_(IntArrayRef{0, 2}).mul(in[1]); },
                  {noise({1, 3, 1}), noise({3}, 2)});
}
