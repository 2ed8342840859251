#include "labs/private_use1.h"

#include <doctest/doctest.h>

#include "core/device_hooks.h"
#include "dispatcher/testing.h"
#include "ops/ops.h"

using namespace gb;
using gb::testing::contains;
using gb::testing::error_of;

TEST_CASE("own backend: the LM head runs there; two kernels of its own, the rest composite or by the CPU") {
  CHECK(labs::show_own_backend(0) == R"(p = softmax(linear(x, W, b)) and its gradients on own:0

  operator                        n  served at PrivateUse1 by
  aten::t                         5  CompositeExplicitAutograd kernel
  aten::addmm                     1  kernel for this key
  aten::_softmax                  1  backend fallback
  aten::_softmax_backward_data    1  backend fallback
  aten::sum.dim_IntList           1  backend fallback
  aten::view                      1  kernel for this key
  aten::mm                        2  backend fallback
  aten::detach                    1  CompositeExplicitAutograd kernel

  p  [2, 600]   elements that differ from the CPU: 0
  dx [2, 64]    elements that differ from the CPU: 0
  dW [600, 64]  elements that differ from the CPU: 0
  db [600]      elements that differ from the CPU: 0
)");
}

TEST_CASE("own backend: a device like any other") {
  const Device own = labs::use_own_backend();
  CHECK(own == Device("privateuseone:0"));
  CHECK(own.str() == "own:0");
  CHECK(is_privateuse1_backend_registered());
  CHECK(get_privateuse1_backend() == "own");
  register_privateuse1_backend("own");  // the same name again is no error
  CHECK(contains(error_of([] { register_privateuse1_backend("other"); }), "already been set"));
  CHECK(contains(error_of([] { register_privateuse1_backend("cuda"); }), "a device already"));
  CHECK(contains(error_of([] { register_privateuse1_backend("a b"); }), "not made of letters"));

  const size_t before = labs::own_backend_bytes_in_use();
  {
    const Tensor t = zeros({4, 8}, own);
    CHECK(toString(t.key_set()) ==
          "{PrivateUse1, ADInplaceOrView, AutogradPrivateUse1, AutocastPrivateUse1}");
    CHECK(labs::own_backend_bytes_in_use() == before + 4 * 8 * 4);
    CHECK(t.sum().item().toDouble() == 0);
  }
  CHECK(labs::own_backend_bytes_in_use() == before);
}

TEST_CASE("own backend: what the fallback writes arrives, and is the caller's tensor") {
  const Device own = labs::use_own_backend();
  const Tensor t = ones({2, 3}, own), view = t.t();
  const int64_t version = t._version();
  Tensor& same = view.add_(ones({3, 2}, own));  // no kernel here: by the CPU
  CHECK(same.is_same(view));
  CHECK(t._version() == version + 1);
  CHECK(t.sum().item().toDouble() == 12);  // through the view, into its base
  CHECK(t.mul(2).cpu().sum().item().toDouble() == 24);
  CHECK(t.to(kDouble).device() == own);
  CHECK(contains(error_of([&] { t.as_strided({2}, {1}); }), "returns a view"));
}

TEST_CASE("own backend: the fallback of a signature with a written list, an optional and several results") {
  const Device own = labs::use_own_backend();
  Library library = MAKE_GB_LIBRARY(own_test);
  library.def("scale_all_(Tensor(a!)[] xs, Tensor? by, float f=2) -> (Tensor, Tensor[])");
  library.impl("scale_all_", DispatchKey::CPU, [](TensorList xs, const std::optional<Tensor>& by, double f) {
    for (const Tensor& x : xs) x.mul_(by ? *by : full({}, f));
    return std::tuple<Tensor, std::vector<Tensor>>(xs[0].clone(), {xs[0].clone(), xs[1].clone()});
  });
  const auto op =
      gb::testing::find("own_test::scale_all_")
          .typed<std::tuple<Tensor, std::vector<Tensor>>(TensorList, const std::optional<Tensor>&, double)>();
  const std::vector<Tensor> xs{ones({2}, own), full({3}, 4.0, own)};
  const auto [first, all] = op.call(xs, {}, 3);
  CHECK(xs[0].sum().item().toDouble() == 6);
  CHECK(xs[1].sum().item().toDouble() == 36);
  for (const Tensor& t : {first, all[0], all[1]}) CHECK(t.device() == own);
  op.call(xs, full({}, 0.5), 1);  // an argument on the CPU stays there
  CHECK(xs[1].sum().item().toDouble() == 18);
}

TEST_CASE("own backend: gradients by the alias key Autograd, through the fallback too") {
  const Device own = labs::use_own_backend();
  const Tensor x = ones({2, 3}, TensorOptions(own).requires_grad(true));
  x.mul(x).exp().sum().backward();
  CHECK(x.grad().device() == own);
  CHECK(x.grad().cpu().sum().item().toDouble() == doctest::Approx(6 * 2 * std::exp(1.0)));
}
