#include "kernels/cpu/log_softmax.h"

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

// Both directions over [outer, dim, inner] against loops in long double; returns elements that differ.
int64_t wrong(ScalarType t, int64_t outer, int64_t dim, int64_t inner) {
  const int64_t size = outer * dim * inner;
  Buffer x(t, size), grad(t, size), y(t, size), grad_input(t, size);
  Random(47).fill(x, -20, 20);
  Random(59).fill(grad);
  log_softmax(t, y.data(), x.data(), outer, dim, inner);
  log_softmax_backward(t, grad_input.data(), grad.data(), y.data(), outer, dim, inner);
  const bool half = t == kHalf || t == kBFloat16;
  int64_t n = 0;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t k = 0; k < inner; ++k) {
      const auto at = [&](int64_t d) { return (o * dim + d) * inner + k; };
      long double max = -kInf, sum = 0, total = 0, magnitude = 0;
      for (int64_t d = 0; d < dim; ++d) max = std::max<long double>(max, x.get(at(d)));
      for (int64_t d = 0; d < dim; ++d) sum += std::exp(x.get(at(d)) - max);
      for (int64_t d = 0; d < dim; ++d) total += grad.get(at(d)), magnitude += std::fabs(grad.get(at(d)));
      for (int64_t d = 0; d < dim; ++d) {
        const double want = double(x.get(at(d)) - max - std::log(sum));
        // The sum is 1 or more: the roundings of its dim additions, and the logarithm's, count in units of 1.
        n += !near(t, y.get(at(d)), want, half ? 1 : 3 + double(dim) / 16, half ? 0x1p-10 : 1);
        const double want_grad = double(grad.get(at(d)) - std::exp((long double)y.get(at(d))) * total);
        // The sum of the gradients rounds in units of what is added up; half types add in float.
        n += !near(t, grad_input.get(at(d)), want_grad, half ? 1 : 4, double(magnitude) * (half ? 0x1p-10 : 1));
      }
    }
  }
  return n;
}

}  // namespace

TEST_CASE("log_softmax: forward and backward, every floating dtype, layout and size") {
  for_each_capability([] {
    for (ScalarType t : kFloatingTypes) {
      INFO(std::string(toString(t)));
      for (int64_t dim : {1, 2, 7, 16, 33, 64, 600}) {
        INFO("dim = ", dim);
        for (int64_t inner : {1, 2, 5, 16, 37}) {
          INFO("inner = ", inner);
          CHECK(wrong(t, 2, dim, inner) == 0);
        }
      }
    }
  });
}

TEST_CASE("log_softmax: far below the largest it is finite; infinities give NaN, as in PyTorch") {
  for_each_capability([] {
    Buffer x(kFloat, 3), y(kFloat, 3);
    x.set(0, 1000), x.set(1, 0), x.set(2, -1000);
    log_softmax(kFloat, y.data(), x.data(), 1, 3, 1);
    CHECK(y.get(0) == 0);
    CHECK(y.get(1) == -1000);
    CHECK(y.get(2) == -2000);
    x.set(0, -kInf);
    log_softmax(kFloat, y.data(), x.data(), 1, 3, 1);
    CHECK(y.get(0) == -kInf);
    CHECK(y.get(1) == 0);
    x.set(0, kInf);  // inf - inf
    log_softmax(kFloat, y.data(), x.data(), 1, 3, 1);
    CHECK(std::isnan(y.get(0)));
  });
}

TEST_CASE("log_softmax: nothing to do, and a dtype that has no logarithms") {
  log_softmax(kFloat, nullptr, nullptr, 0, 3, 1);
  log_softmax(kFloat, nullptr, nullptr, 2, 0, 1);
  CHECK_THROWS_AS(log_softmax(kLong, nullptr, nullptr, 1, 1, 1), NotImplementedError);
  CHECK_THROWS_AS(log_softmax_backward(kBool, nullptr, nullptr, nullptr, 1, 1, 1), NotImplementedError);
}
