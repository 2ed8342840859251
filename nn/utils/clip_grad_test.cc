#include "nn/utils/clip_grad.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::nn::utils::clip_grad_norm_;
using gb::tests::check_values;
using gb::tests::contains;
using gb::tests::message_of;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Tensor with_grad(std::vector<double> grad) {
  const Tensor p = zeros({static_cast<int64_t>(grad.size())}, kDouble).set_requires_grad(true);
  p.mutable_grad() = tensor(grad, kDouble);
  return p;
}

}  // namespace

TEST_CASE("clip_grad_norm_ scales all gradients as one vector, down only") {
  const Tensor p = with_grad({3, 0}), q = with_grad({-4}), none = zeros({2}, kDouble).set_requires_grad(true);
  CHECK(clip_grad_norm_({p, none, q}, 10) == 5);
  check_values(p.grad(), {3, 0});
  CHECK(clip_grad_norm_({p, none, q}, 1) == 5);
  check_values(p.grad(), {3 / (5 + 1e-6), 0}, 1e-15);
  check_values(q.grad(), {-4 / (5 + 1e-6)}, 1e-15);
  CHECK(!none.grad().defined());
  CHECK(clip_grad_norm_({none}, 1) == 0);

  const Tensor r = with_grad({3, -8});
  CHECK(clip_grad_norm_(r, 4, kInf) == 8);
  check_values(r.grad(), {3 * 4 / (8 + 1e-6), -8 * 4 / (8 + 1e-6)}, 1e-15);
}

TEST_CASE("clip_grad_norm_ with what is not finite") {
  for (double norm_type : {2.0, kInf}) {
    for (double bad : {kInf, std::nan("")}) {
      const Tensor p = with_grad({1}), q = with_grad({bad});
      CHECK(contains(message_of([&] { clip_grad_norm_({p, q}, 1, norm_type, /*error_if_nonfinite=*/true); }),
                     "is non-finite, so it cannot be clipped"));
      check_values(p.grad(), {1});
      CHECK(!std::isfinite(clip_grad_norm_({p, q}, 1, norm_type)));
      CHECK(!std::isfinite(q.grad().item<double>()));
    }
  }
  CHECK(contains(message_of([] { clip_grad_norm_(with_grad({1}), 1, 3); }), "norm_type 3 is not implemented"));
}
