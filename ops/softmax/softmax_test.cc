#include "ops/softmax/softmax.h"

#include <cmath>
#include <limits>

#include "autograd/node.h"
#include "ops/factories/tensor.h"
#include "ops/t/t.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

// x as [outer, n, inner].
std::vector<double> naive(const std::vector<double>& x, size_t outer, size_t n, size_t inner) {
  std::vector<double> y(x.size());
  for (size_t o = 0; o < outer; ++o)
    for (size_t i = 0; i < inner; ++i) {
      double total = 0;
      for (size_t k = 0; k < n; ++k) total += std::exp(x[(o * n + k) * inner + i]);
      for (size_t k = 0; k < n; ++k)
        y[(o * n + k) * inner + i] = std::exp(x[(o * n + k) * inner + i]) / total;
    }
  return y;
}

}  // namespace

TEST_CASE("softmax over each dimension, against the formula") {
  const Tensor x = noise({2, 3, 5});
  check_values(softmax(x, -1), naive(values(x), 6, 5, 1), 1e-15);
  check_values(softmax(x, 1), naive(values(x), 2, 3, 5), 1e-15);
  check_values(softmax(x, 0), naive(values(x), 1, 2, 15), 1e-15);
  const Tensor strided = noise({5, 3}).t();
  CHECK(softmax(strided, 1).is_contiguous());
  check_values(softmax(strided, 1), naive(values(strided), 3, 5, 1), 1e-15);
}

TEST_CASE("edges: scalars, nothing, large and infinite values") {
  check_values(softmax(ramp({}), 0), {1});
  check_values(softmax(ramp({}), -1), {1});
  CHECK((softmax(ramp({2, 0}), 1).sizes() == IntArrayRef{2, 0}));
  CHECK((softmax(ramp({0, 2}), 1).sizes() == IntArrayRef{0, 2}));
  check_values(softmax(ramp({2}).mul(1000), 0), {0, 1});
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  check_values(softmax(ramp({2}).add(1).mul(-inf), 0), {nan, nan});
}

TEST_CASE("log_softmax is the logarithm of softmax, also where softmax is 0") {
  const Tensor x = noise({2, 37, 5});
  for (const int64_t dim : {0, 1, 2}) {
    std::vector<double> expected = values(softmax(x, dim));
    for (double& v : expected) v = std::log(v);
    check_values(log_softmax(x, dim), expected, 1e-14);
  }
  check_values(log_softmax(ramp({3}).mul(1000), 0), {-2000, -1000, 0});
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  check_values(log_softmax(ramp({2}).add(1).mul(-inf), 0), {nan, nan});
  check_values(log_softmax(ramp({2, 2}, kFloat).to(kHalf).to(kDouble), 1),
               values(log_softmax(ramp({2, 2}, kHalf), 1)), 2e-3);
}

TEST_CASE("dtype converts first; integers need one") {
  const Tensor x = ramp({3}, kLong);
  CHECK((softmax(x, 0, kFloat).scalar_type() == kFloat));
  CHECK((softmax(ramp({3}, kHalf), 0, kFloat).scalar_type() == kFloat));
  CHECK(contains(message_of([&] { softmax(x, 0); }), "not implemented for 'Long'"));
  CHECK_THROWS_AS(softmax(x, 0), NotImplementedError);
}

TEST_CASE("_safe_softmax: a row of -inf is zeros, and takes no gradient") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor x = tensor({{-infinity, -infinity}, {-infinity, 1.0}, {1.0, 1.0}}, kDouble).requires_grad_();
  const Tensor y = _safe_softmax(x, 1);
  check_values(y, {0, 0, 0, 1, 0.5, 0.5});
  CHECK(y.grad_fn()->name() == "SafeSoftmaxBackward0");
  y.mul(ramp({3, 2})).sum().backward();
  check_values(x.grad(), {0, 0, 0, 0, -0.25, 0.25});
  check_gradients([](const std::vector<Tensor>& in) { return _safe_softmax(in[0], 0); }, {noise({2, 3})});
}

TEST_CASE("what the softmax operators refuse") {
  const Tensor x = ramp({2, 3});
  CHECK_THROWS_AS(softmax(x, 2), IndexError);
  CHECK(contains(message_of([&] { _softmax(x, 0, true); }),
                 "half to float conversion is not supported on CPU"));
  CHECK(contains(message_of([&] { _softmax_backward_data(ramp({3}), x, 0, kDouble); }),
                 "must have the same sizes and dtype"));
  CHECK(contains(message_of([&] { _softmax_backward_data(x, x, 0, kLong); }),
                 "expected input and grad types to match"));
}

TEST_CASE("gradients of softmax and of its backward") {
  check_gradients([](const std::vector<Tensor>& in) { return softmax(in[0], 1); }, {noise({2, 4})});
  check_gradients([](const std::vector<Tensor>& in) { return softmax(in[0], 0); }, {noise({2, 4})});
  const auto backward = [](const std::vector<Tensor>& in) {
    return _softmax_backward_data(in[0], in[1], -1, kDouble);
  };
  check_gradients(backward, {noise({2, 4}), noise({2, 4}, 2)});
}

TEST_CASE("gradients of log_softmax and of its backward") {
  check_gradients([](const std::vector<Tensor>& in) { return log_softmax(in[0], 1); }, {noise({2, 4})});
  check_gradients([](const std::vector<Tensor>& in) { return log_softmax(in[0], 0); }, {noise({2, 4})});
  const auto backward = [](const std::vector<Tensor>& in) {
    return _log_softmax_backward_data(in[0], in[1], -1, kDouble);
  };
  check_gradients(backward, {noise({2, 4}), noise({2, 4}, 2)});
}
