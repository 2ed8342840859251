#include "ops/matmul/matmul.h"

#include "autograd/node.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

TEST_CASE("matmul broadcasts batches: each is the product of its matrices") {
  const Tensor a = noise({2, 1, 3, 4}), b = noise({5, 4, 2}, 2);
  const Tensor all = matmul(a, b);
  REQUIRE((all.sizes() == IntArrayRef{2, 5, 3, 2}));
  const std::vector<double> got = values(all);
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 5; ++j) {
      const Tensor x = as_strided(a, {3, 4}, {4, 1}, i * 12), y = as_strided(b, {4, 2}, {2, 1}, j * 8);
      const auto first = got.begin() + (i * 5 + j) * 6;
      check_values(mm(x, y), std::vector<double>(first, first + 6), 1e-14);
    }
}

TEST_CASE("a vector is a row on the left and a column on the right") {
  const Tensor v = noise({4}), batch = noise({2, 4, 3}, 2);
  CHECK((matmul(v, batch).sizes() == IntArrayRef{2, 3}));
  check_values(matmul(v, batch), values(squeeze(matmul(v.view({1, 4}), batch), 1)), 1e-14);
  check_values(matmul(transpose(batch, 1, 2), v), values(matmul(v, batch)), 1e-14);
  check_values(dot(v, v), {values(matmul(v.view({1, 4}), v.view({4, 1})))[0]}, 1e-14);
}

namespace {

// The names along the first edges: what matmul called, last first.
std::string calls(const Tensor& t) {
  std::string names;
  for (const autograd::Node* node = t.grad_fn().get(); node && node->name() != "AccumulateGrad";
       node = node->next_edge(0).function.get())
    names += (names.empty() ? "" : " ") + node->name();
  return names;
}

}  // namespace

TEST_CASE("folding: a matrix that requires grad, or a batch that need not be copied") {
  const Tensor batch = noise({2, 3, 4}).requires_grad_(), matrix = noise({4, 5}, 2);
  const std::string folded = "UnsafeViewBackward0 MmBackward0 ViewBackward0";
  CHECK(calls(matmul(batch, matrix)) == folded);
  CHECK(calls(matmul(batch, noise({4, 5}).requires_grad_())) == folded);
  const Tensor strided = transpose(batch, 0, 1);  // [3, 2, 4], would be copied
  CHECK(calls(matmul(strided, matrix)).find("UnsafeViewBackward0 BmmBackward0") == 0);
  CHECK(calls(matmul(strided, noise({4, 5}).requires_grad_())).find("UnsafeViewBackward0 MmBackward0") == 0);
  CHECK(calls(matmul(batch, noise({2, 4, 5}))).find("UnsafeViewBackward0 BmmBackward0") == 0);
}

TEST_CASE("what matmul, mv and dot refuse") {
  CHECK(contains(message_of([] {
                   matmul(ramp({}), ramp({2, 2}));
                 }),
                 "both arguments to matmul need to be at least 1D, but they are 0D and 2D"));
  CHECK(contains(message_of([] {
                   matmul(ramp({2, 3, 4}), ramp({3, 4, 5}));
                 }),
                 "The size of tensor a (2) must match the size of tensor b (3)"));
  CHECK(contains(message_of([] {
                   mv(ramp({3, 4}), ramp({3}));
                 }),
                 "size mismatch, got input (3), mat (3x4), vec (3)"));
  CHECK(contains(message_of([] { dot(ramp({3}), ramp({4})); }),
                 "inconsistent tensor size, expected tensor [3] and src [4]"));
  CHECK(contains(message_of([] { dot(ramp({3}), ramp({3}, kFloat)); }),
                 "expected both vectors to have same dtype"));
}
