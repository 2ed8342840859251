#include "ops/bmm/bmm.h"

#include <cmath>

#include "autograd/node.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

// alpha * a b, batch by batch, in a triple loop.
std::vector<double> naive(const Tensor& a, const Tensor& b, double alpha = 1) {
  const int64_t batches = a.size(0), m = a.size(1), k = a.size(2), n = b.size(2);
  const std::vector<double> x = values(a), y = values(b);
  std::vector<double> out;
  for (int64_t i = 0; i < batches * m * n; ++i) {
    const int64_t batch = i / (m * n), row = i / n % m, column = i % n;
    double sum = 0;
    for (int64_t p = 0; p < k; ++p)
      sum += x[static_cast<size_t>((batch * m + row) * k + p)] *
             y[static_cast<size_t>((batch * k + p) * n + column)];
    out.push_back(alpha * sum);
  }
  return out;
}

}  // namespace

TEST_CASE("bmm against a triple loop, for every layout of its operands") {
  const Tensor a = noise({3, 5, 7}), b = noise({3, 7, 4}, 2);
  const Tensor at = transpose(noise({3, 7, 5}), 1, 2), outermost = transpose(noise({5, 3, 7}), 0, 1);
  const Tensor bt = transpose(noise({7, 4, 3}, 2), 0, 2);  // [3, 4, 7]
  for (const Tensor& x : {a, at, outermost})
    for (const Tensor& y : {b, transpose(bt, 1, 2), noise({1, 7, 4}, 3).expand({3, 7, 4})}) {
      const Tensor out = bmm(x, y);
      CHECK(out.is_contiguous());
      check_values(out, naive(x, y), 1e-14);
    }
}

TEST_CASE("baddbmm: beta 0 does not read self; in place it may be a factor") {
  const Tensor a = noise({2, 3, 3}), b = noise({2, 3, 3}, 2);
  check_values(baddbmm(noise({1}).mul(std::nan("")), a, b, 0, 2), naive(a, b, 2), 1e-14);
  const std::vector<double> expected = naive(a, b);
  const Tensor self = a.clone();
  self.baddbmm_(self, b, 0);
  check_values(self, expected, 1e-14);
  CHECK(self._version() == 1);
}

TEST_CASE("what the batched products refuse") {
  const Tensor a = ramp({2, 3, 4});
  CHECK(contains(message_of([&] { bmm(ramp({3, 4}), a); }), "batch1 must be a 3D tensor"));
  CHECK(contains(message_of([&] { bmm(a, ramp({4, 5})); }), "batch2 must be a 3D tensor"));
  CHECK(contains(message_of([&] {
                   bmm(a, ramp({2, 3, 5}));
                 }),
                 "Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [2, 3]."));
  CHECK(contains(message_of([&] {
                   bmm(a, ramp({2, 4, 5}, kFloat));
                 }),
                 "expected scalar type Double but found Float"));
  CHECK(contains(message_of([&] {
                   ramp({5}).baddbmm_(a, ramp({2, 4, 5}));
                 }),
                 "Expected an input tensor shape with shape [2, 3, 5] but got shape: [5]"));
}

TEST_CASE("the nodes") {
  const Tensor a = noise({2, 3, 4}).requires_grad_(), b = noise({2, 4, 5}).requires_grad_();
  CHECK(bmm(a, b).grad_fn()->name() == "BmmBackward0");
  CHECK(baddbmm(noise({5}), a, b).grad_fn()->name() == "BaddbmmBackward0");
}
