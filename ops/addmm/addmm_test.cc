#include "ops/addmm/addmm.h"

#include <cmath>

#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

std::vector<double> naive(const Tensor& bias, const Tensor& a, const Tensor& b, double beta, double alpha) {
  const int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  const std::vector<double> c = values(bias.expand({m, n})), x = values(a), y = values(b);
  std::vector<double> out(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < k; ++p)
        sum += x[static_cast<size_t>(i * k + p)] * y[static_cast<size_t>(p * n + j)];
      out[static_cast<size_t>(i * n + j)] = alpha * sum + beta * c[static_cast<size_t>(i * n + j)];
    }
  return out;
}

}  // namespace

TEST_CASE("addmm with every way of broadcasting the bias") {
  const Tensor x = noise({4, 5}), w = noise({6, 5}, 2);
  for (const Tensor& bias : {noise({6}, 3), noise({4, 6}, 3), noise({4, 1}, 3), noise({1, 6}, 3),
                             noise({}, 3), noise({6, 4}, 3).t()})
    check_values(addmm(bias, x, w.t(), 0.5, -2), naive(bias, x, w.t(), 0.5, -2), 1e-14);
}

TEST_CASE("beta 0 does not read the bias; no inner dimension leaves it") {
  const Tensor nan = noise({2}).mul(std::nan(""));
  check_values(addmm(nan, ramp({2, 2}), ramp({2, 2}), 0), {2, 3, 6, 11});
  check_values(addmm(ramp({2}), ramp({3, 0}), ramp({0, 2}), 2), {0, 2, 0, 2, 0, 2});
  check_values(addmm(ramp({2}, kLong), ramp({2, 2}, kLong), ramp({2, 2}, kLong), 2, 3), {6, 11, 18, 35});
  CHECK(addmm(ramp({3}), ramp({0, 2}), ramp({2, 3})).numel() == 0);
}

TEST_CASE("what addmm refuses") {
  const Tensor x = ramp({2, 64}), w = ramp({64, 600});
  CHECK(contains(message_of([&] {
                   addmm(ramp({600}), x, ramp({63, 600}));
                 }),
                 "mat1 and mat2 shapes cannot be multiplied (2x64 and 63x600)"));
  CHECK(contains(message_of([&] { addmm(ramp({599}), x, w); }),
                 "The expanded size of the tensor (600) must match the existing size (599) at non-singleton "
                 "dimension 1"));
  CHECK(contains(message_of([&] { addmm(ramp({600}, kFloat), x, w); }),
                 "self and mat2 must have the same dtype, but got Float and Double"));
  const Tensor i = ramp({2, 2}, kLong);
  CHECK(contains(message_of([&] { addmm(i, i, i, 1, 0.5); }),
                 "For integral input tensors, argument alpha must not be a floating point number"));
}

TEST_CASE("gradients of addmm, with and without factors") {
  const auto plain = [](const std::vector<Tensor>& in) { return addmm(in[0], in[1], in[2].t()); };
  check_gradients(plain, {noise({4}), noise({2, 3}, 2), noise({4, 3}, 3)});
  const auto scaled = [](const std::vector<Tensor>& in) { return addmm(in[0], in[1], in[2], 0.5, 3); };
  check_gradients(scaled, {noise({2, 1}), noise({2, 3}, 2), noise({3, 4}, 3)});
}
