#include "ops/mm/mm.h"

#include "ops/as_strided/as_strided.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

std::vector<double> naive(const Tensor& a, const Tensor& b) {
  const int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  const std::vector<double> x = values(a), y = values(b);
  std::vector<double> out(static_cast<size_t>(m * n), 0.0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t p = 0; p < k; ++p)
        out[static_cast<size_t>(i * n + j)] +=
            x[static_cast<size_t>(i * k + p)] * y[static_cast<size_t>(p * n + j)];
  return out;
}

}  // namespace

TEST_CASE("mm against a triple loop, for every layout of its operands") {
  const Tensor a = noise({5, 7}), b = noise({7, 3}, 2);
  const Tensor at = noise({7, 5}).t(), bt = noise({3, 7}, 2).t();
  const Tensor gaps = as_strided(noise({140}, 3), {5, 7}, {28, 3});  // no unit stride: is copied
  for (const Tensor& x : {a, at, gaps})
    for (const Tensor& y : {b, bt}) {
      const Tensor out = mm(x, y);
      CHECK(out.is_contiguous());
      check_values(out, naive(x, y), 1e-14);
    }
}

TEST_CASE("mm of nothing and of integers") {
  CHECK((mm(ramp({0, 4}), ramp({4, 3})).sizes() == IntArrayRef{0, 3}));
  check_values(mm(ramp({2, 0}), ramp({0, 2})), {0, 0, 0, 0});
  check_values(mm(ramp({2, 2}, kLong), ramp({2, 2}, kLong)), {2, 3, 6, 11});
  check_values(mm(ramp({2, 2}, kHalf), ramp({2, 2}, kHalf)), {2, 3, 6, 11});
}

TEST_CASE("what mm refuses") {
  CHECK(contains(message_of([] {
                   mm(ramp({2, 64}), ramp({63, 600}));
                 }),
                 "mat1 and mat2 shapes cannot be multiplied (2x64 and 63x600)"));
  CHECK(contains(message_of([] {
                   mm(ramp({2, 3}, kFloat), ramp({3, 2}));
                 }),
                 "expected mat1 and mat2 to have the same dtype, but got: float != double"));
  CHECK(contains(message_of([] { mm(ramp({3}), ramp({3, 2})); }), "mat1 must be a matrix, got 1-D tensor"));
  CHECK_THROWS_AS(mm(ramp({2, 2}, kBool), ramp({2, 2}, kBool)), NotImplementedError);
  CHECK(contains(message_of([] { mm(ramp({2, 2}), Tensor()); }), "undefined"));
}

TEST_CASE("gradients of mm") {
  const auto f = [](const std::vector<Tensor>& in) { return mm(in[0], in[1]); };
  check_gradients(f, {noise({2, 3}), noise({3, 4}, 2)});
  const auto transposed = [](const std::vector<Tensor>& in) { return mm(in[0].t(), in[1].t()); };
  check_gradients(transposed, {noise({3, 2}), noise({4, 3}, 2)});
}

TEST_CASE("a column-major operand gets a column-major gradient") {
  const Tensor w = noise({4, 3});
  w.requires_grad_(true);
  mm(noise({2, 3}), w.t()).sum().backward();
  CHECK(w.grad().is_contiguous());
}
