#include "autograd/view.h"

#include "autograd/autograd.h"
#include "autograd/formula.h"
#include "autograd/inference_mode.h"
#include "core/autograd_state.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

Tensor& scale_(const Tensor& t, double k) { return mul__scalar_op().call(const_cast<Tensor&>(t), k); }
Tensor leaf(IntArrayRef sizes = {4}) { return ones(sizes, kDouble).requires_grad_(); }
std::string grad_fn_of(const Tensor& t) { return t.grad_fn() ? t.grad_fn()->name() : "none"; }
std::string next_of(const Tensor& t) { return t.grad_fn()->next_edge(0).function->name(); }

// One of two views of `base` made by a single call, as unbind makes them.
Tensor row_of_two(const Tensor& base, int64_t row) {
  const Tensor view = base.as_strided({2}, {1}, 2 * row);
  autograd::impl::get_view_autograd_meta(view)->set_creation_meta(autograd::CreationMeta::MULTI_OUTPUT_NODE);
  return view;
}

}  // namespace

TEST_CASE("views: one version, one base, a history of their own") {
  const Tensor x = leaf({2, 3});
  const Tensor y = x * 2;
  const Tensor v = y.view({6}), w = v.view({3, 2});
  CHECK(v.is_view());
  CHECK_FALSE(y.is_view());
  CHECK(w._base().is_same(y));  // the base of the base
  CHECK(grad_fn_of(v) == "ViewBackward0");
  w.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(6, 2));

  const Tensor plain = zeros({4}), part = plain.view({2, 2});
  part.fill_(3);
  CHECK(plain._version() == 1);
  CHECK(part._version() == 1);
  CHECK(contains(message_of([&] { plain._base(); }), "Can't get base of non-view Tensor"));
}

TEST_CASE("views: detach shares the version, is no view and requires no grad") {
  const Tensor x = leaf({2});
  const Tensor d = x.detach();
  CHECK_FALSE(d.requires_grad());
  CHECK_FALSE(d.is_view());
  CHECK(d.is_alias_of(x));
  d.fill_(2);
  CHECK(x._version() == 1);
}

TEST_CASE("views: a write to the base gives the view a new grad_fn, when somebody asks") {
  const Tensor x = leaf();
  const Tensor base = zeros({4}, kDouble), v = base.view({2, 2});
  CHECK_FALSE(v.requires_grad());
  base.add_(x);  // now base depends on x, and so does the data of v
  CHECK(grad_fn_of(base) == "AddBackward0");
  CHECK(v.requires_grad());
  CHECK(v.is_leaf());  // nobody has asked yet
  CHECK(grad_fn_of(v) == "AsStridedBackward0");
  CHECK_FALSE(v.is_leaf());
  CHECK(next_of(v) == "AddBackward0");
  (v * v * 3).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(4, 6));
}

TEST_CASE("views: any write, recorded or not, makes the next question build a new grad_fn") {
  const Tensor x = leaf();
  const Tensor y = x * 2, v = y.view({4});
  const auto before = v.grad_fn();
  CHECK(v.grad_fn() == before);
  v.detach().zero_();
  CHECK(grad_fn_of(y) == "MulBackward1");  // nothing was recorded
  CHECK(v.grad_fn() != before);
  CHECK(grad_fn_of(v) == "AsStridedBackward0");
  CHECK(v.grad_fn()->topological_nr() == 2);
  v.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>(4, 2));
}

TEST_CASE("views: of a leaf that an optimizer writes to without recording, they stay good") {
  const Tensor w = leaf();
  const Tensor v = w.view({2, 2});
  {
    const NoGradGuard guard;
    w.add_(ones({4}, kDouble));
  }
  (v * 3).sum().backward();
  CHECK(values(w.grad()) == std::vector<double>(4, 3));
}

TEST_CASE("views: made in no-grad mode, they require grad as their base does, and lead nowhere") {
  const Tensor x = leaf();
  Tensor v;
  {
    const NoGradGuard guard;
    v = x.view({2, 2});
  }
  CHECK(v.requires_grad());
  CHECK(v.is_leaf());
  const Tensor y = v * 2;
  CHECK_FALSE(y.grad_fn()->next_edge(0).is_valid());
  y.sum().backward();
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("creation_meta: writing a view that was made in no-grad mode") {
  const Tensor x = leaf();
  const Tensor y = x * 2;
  Tensor v;
  {
    const NoGradGuard guard;
    v = y.view({2, 2});
  }
  const std::string direct = message_of([&] { scale_(v, 2); });
  CHECK(contains(direct, "A view was created in no_grad mode and is being modified inplace with grad mode enabled"));
  CHECK(contains(direct, "move both the view and the inplace"));
  CHECK(y._version() == 0);
  scale_(y, 2);
  CHECK(contains(message_of([&] { v.grad_fn(); }),
                 "its base or another view of its base has been modified inplace with grad mode enabled"));
  CHECK(contains(message_of([&] { v * 2; }), "its base or another view of its base has been modified inplace"));
  const Tensor w = (x * 2).view({4});
  Tensor of_view;
  {
    const NoGradGuard guard;
    of_view = w.view({2, 2});
  }
  const Tensor again = of_view.view({4});  // never less strict than what it was made from
  CHECK(contains(message_of([&] { scale_(again, 2); }),
                 "Output 0 of ViewBackward0 is a view of a view which was created in no_grad mode"));
  {
    const NoGradGuard guard;
    scale_(again, 2);  // not recorded: fine
  }
  CHECK(values(w) == std::vector<double>(4, 4));
}

TEST_CASE("creation_meta: views of one call, of a Function, and of inference mode") {
  const Tensor x = leaf();
  const Tensor y = x * 2, row = row_of_two(y, 1);
  const std::string direct = message_of([&] { scale_(row, 2); });
  CHECK(contains(direct, "Output 0 of AsStridedBackward0 is a view and is being modified inplace"));
  CHECK(contains(direct, "the output of a function that returns multiple views"));
  CHECK(contains(message_of([&] { scale_(row.view({2, 1}), 2); }), "Output 0 of ViewBackward0 is a view and is being"));
  scale_(y, 2);
  CHECK(contains(message_of([&] { row* row; }), "is a view and its base or another view of its base has been"));

  const Tensor z = x * 2, f = z.view({2, 2});
  autograd::impl::get_view_autograd_meta(f)->set_creation_meta(autograd::CreationMeta::IN_CUSTOM_FUNCTION);
  CHECK(contains(message_of([&] { scale_(f, 2); }), "This view was created inside a custom Function"));

  Tensor v;
  {
    const InferenceMode guard;
    v = z.view({2, 2});
  }
  CHECK_FALSE(v.is_inference());
  CHECK(v.is_view());
  CHECK(contains(message_of([&] { scale_(v, 2); }),
                 "A view was created in inference mode and is being modified inplace in normal mode"));
  const Tensor plain = ones({4}, kDouble);
  {
    const InferenceMode guard;
    v = plain.view({4});
  }
  scale_(v, 2);  // nothing to record
  CHECK(plain._version() == 1);
  CHECK(contains(message_of([&] { v.mul_(x); }), "A view was created in inference mode"));
}

TEST_CASE("inference: no write outside, no view, none saved") {
  Tensor i;
  {
    const InferenceMode guard;
    i = ones({4}, kDouble);
    scale_(i, 2);
  }
  const std::string message = message_of([&] { scale_(i, 2); });
  CHECK(contains(message, "Inplace update to inference tensor outside InferenceMode is not allowed"));
  CHECK(values(i) == std::vector<double>(4, 2));  // refused before it was written
  {
    const NoGradGuard guard;
    CHECK_FALSE(message_of([&] { i.zero_(); }).empty());
  }
  CHECK(values(i) == std::vector<double>(4, 2));
  const Tensor v = i.view({2, 2});
  CHECK(v.is_inference());
  CHECK_FALSE(v.is_view());
  CHECK(contains(message_of([&] { leaf().mul(i); }), "Inference tensors cannot be saved for backward"));
  const Tensor normal = ones({4}, kDouble);
  {
    const InferenceMode guard;
    scale_(normal, 2);
  }
  CHECK(normal._version() == 1);
}

TEST_CASE("as_view: a kernel that returns its argument is told so") {
  const Tensor x = ones({2});
  CHECK(contains(message_of([&] { autograd::as_view(x, x); }),
                 "View operation returned a tensor that is the same as the input base tensor"));
}
