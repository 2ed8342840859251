#include "ops/activations/activations.h"

#include <cmath>
#include <numbers>

#include "autograd/node.h"
#include "core/error.h"
#include "ops/factories/factories.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

const auto kD = TensorOptions(kDouble);

TEST_CASE("values") {
  const Tensor x = tensor({-1.0, 0.0, 2.0}, kD);
  check_values(x.tanh(), {std::tanh(-1.0), 0, std::tanh(2.0)}, 1e-15);
  check_values(x.sigmoid(), {1 / (1 + std::exp(1.0)), 0.5, 1 / (1 + std::exp(-2.0))}, 1e-15);
  check_values(x.relu(), {0, 0, 2});
  const auto phi = [](double v) { return 0.5 * std::erfc(-v / std::numbers::sqrt2); };
  check_values(gelu(x), {-phi(-1), 0, 2 * phi(2)}, 1e-15);
  check_values(gelu(x, "tanh"), {-0.15880800939172324, 0, 1.954597694087775}, 1e-12);
  check_values(gelu(x.to(kFloat)), {-phi(-1), 0, 2 * phi(2)}, 1e-6);
  check_values(x.relu_(), {0, 0, 2});
  CHECK(x._version() == 1);
}

TEST_CASE("dtypes, and what is refused") {
  CHECK((tensor({1, 2}).tanh().scalar_type() == kFloat));
  CHECK((tensor({-1, 2}).relu().scalar_type() == kLong));
  CHECK(contains(message_of([] { tensor({true}).relu(); }), "Boolean inputs not supported for relu"));
  CHECK(contains(message_of([] { gelu(tensor({1.0}), "erf"); }),
                 "approximate argument must be either none or tanh"));
  CHECK(contains(message_of([] { gelu(tensor({1})); }), "not implemented for 'Long'"));
  CHECK(contains(message_of([] { tensor({1}).tanh_(); }),
                 "result type Float can't be cast to the desired output type Long"));
}

TEST_CASE("gradients, twice, in place too; nodes") {
  for (auto f : {+[](const std::vector<Tensor>& v) { return v[0].tanh(); },
                 +[](const std::vector<Tensor>& v) { return v[0].sigmoid(); },
                 +[](const std::vector<Tensor>& v) { return gelu(v[0]); },
                 +[](const std::vector<Tensor>& v) { return gelu(v[0], "tanh"); },
                 +[](const std::vector<Tensor>& v) {
                   return v[0].clone().tanh_().clone().sigmoid_().clone().relu_();
                 }})
    check_gradients(f, {noise({2, 3})});
  const Tensor a = ones({2}, requires_grad(true));
  CHECK(a.tanh().grad_fn()->name() == "TanhBackward0");
  CHECK(a.relu().grad_fn()->name() == "ReluBackward0");
  const auto saved = gelu(a).grad_fn()->saved();
  REQUIRE(saved.size() == 2);
  CHECK(saved[0].name == "approximate");
  CHECK(saved[0].text == "none");
  CHECK(tanh_backward(a, a).grad_fn()->name() == "TanhBackwardBackward0");
  CHECK(gelu_backward(a, a).grad_fn()->name() == "GeluBackwardBackward0");
  CHECK(threshold_backward(a, a, 0).grad_fn()->name() == "ThresholdBackwardBackward0");
}

}  // namespace
}  // namespace gb::tests
