#include "kernels/cpu/layer_norm.h"

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

constexpr double kEps = 1e-5;

// Both directions against loops in double; returns elements that differ by more than `tolerance`.
int64_t wrong(ScalarType t, int64_t rows, int64_t n, bool affine) {
  Buffer x(t, rows * n), grad(t, rows * n), weight(t, n), bias(t, n), y(t, rows * n), mean(t, rows),
      rstd(t, rows);
  Buffer grad_x(t, rows * n), grad_w(t, n), grad_b(t, n);
  Random(61).fill(x, -3, 5);
  Random(67).fill(grad);
  Random(71).fill(weight);
  Random(73).fill(bias);
  const void *w = affine ? weight.data() : nullptr, *b = affine ? bias.data() : nullptr;
  layer_norm(t, y.data(), mean.data(), rstd.data(), x.data(), w, b, kEps, rows, n);
  layer_norm_backward(t, {grad_x.data(), grad_w.data(), grad_b.data()},
                      {grad.data(), x.data(), mean.data(), rstd.data(), w}, rows, n);
  const double tolerance = 64 * epsilon(t);
  int64_t differ = 0;
  const auto compare = [&](double got, double want, double size) {
    differ += !(std::fabs(got - want) <= tolerance * (1 + size));
  };
  std::vector<double> want_w(static_cast<size_t>(n)), want_b(want_w), size_w(want_w);
  for (int64_t r = 0; r < rows; ++r) {
    double m = 0, squares = 0, mean_g = 0, mean_gx = 0;
    for (int64_t i = 0; i < n; ++i) m += x.get(r * n + i) / double(n);
    for (int64_t i = 0; i < n; ++i) squares += (x.get(r * n + i) - m) * (x.get(r * n + i) - m) / double(n);
    const double s = 1 / std::sqrt(squares + kEps);
    compare(mean.get(r), m, std::fabs(m));
    compare(rstd.get(r), s, s);
    // From here with the rounded statistics, as the backward reads them.
    const double rm = mean.get(r), rs = rstd.get(r);
    const auto hat = [&](int64_t i) { return (x.get(r * n + i) - rm) * rs; };
    const auto g = [&](int64_t i) { return grad.get(r * n + i) * (affine ? weight.get(i) : 1); };
    for (int64_t i = 0; i < n; ++i) mean_g += g(i) / double(n), mean_gx += g(i) * hat(i) / double(n);
    for (int64_t i = 0; i < n; ++i) {
      const double normal = (x.get(r * n + i) - m) * s;
      compare(y.get(r * n + i), affine ? normal * weight.get(i) + bias.get(i) : normal, std::fabs(normal));
      compare(grad_x.get(r * n + i), rs * (g(i) - mean_g - hat(i) * mean_gx), rs * (1 + std::fabs(hat(i))));
      want_w[size_t(i)] += grad.get(r * n + i) * hat(i);
      want_b[size_t(i)] += grad.get(r * n + i);
      size_w[size_t(i)] += std::fabs(grad.get(r * n + i) * hat(i)) + std::fabs(grad.get(r * n + i));
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    compare(grad_w.get(i), want_w[size_t(i)], size_w[size_t(i)]);
    compare(grad_b.get(i), want_b[size_t(i)], size_w[size_t(i)]);
  }
  return differ;
}

}  // namespace

TEST_CASE("layer_norm: forward and backward, every floating dtype and row length") {
  for_each_capability([] {
    for (ScalarType t : kFloatingTypes) {
      INFO(std::string(toString(t)));
      for (int64_t n : {2, 3, 7, 16, 33, 64, 257}) {
        INFO("n = ", n);
        CHECK(wrong(t, 5, n, false) == 0);
        CHECK(wrong(t, 37, n, true) == 0);
      }
    }
  });
}

TEST_CASE("layer_norm: a constant row far from 0 is all bias: eps keeps it finite") {
  for_each_capability([] {
    Buffer x(kFloat, 7, 1e6), y(kFloat, 7), bias(kFloat, 7, 3), mean(kFloat, 1), rstd(kFloat, 1);
    layer_norm(kFloat, y.data(), mean.data(), rstd.data(), x.data(), nullptr, bias.data(), kEps, 1, 7);
    for (int64_t i = 0; i < 7; ++i) CHECK(y.get(i) == doctest::Approx(3));
    CHECK(mean.get(0) == 1e6);
  });
}

TEST_CASE("layer_norm: only the gradients asked for; no rows; integers") {
  Buffer x(kFloat, 6), grad(kFloat, 6, 2), mean(kFloat, 2), rstd(kFloat, 2, 1), bias(kFloat, 3);
  layer_norm_backward(kFloat, {nullptr, nullptr, bias.data()},
                      {grad.data(), x.data(), mean.data(), rstd.data(), nullptr}, 2, 3);
  for (int64_t i = 0; i < 3; ++i) CHECK(bias.get(i) == 4);
  layer_norm_backward(kFloat, {nullptr, nullptr, bias.data()}, {}, 0, 3);
  for (int64_t i = 0; i < 3; ++i) CHECK(bias.get(i) == 0);
  CHECK_THROWS_AS(layer_norm(kLong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, kEps, 1, 1),
                  NotImplementedError);
}
