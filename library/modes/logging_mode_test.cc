// What the mode key sees, as goldens beside the code that makes them.
#include "library/modes/logging_mode.h"

#include <doctest/doctest.h>

#include <thread>

#include "autograd/autograd.h"
#include "autograd/inference_mode.h"
#include "ops/ops.h"

using namespace gb;

namespace {

template <class F>
std::string log_of(F&& f) {
  LoggingMode mode;
  {
    const DispatchModeGuard guard(&mode);
    f();
  }
  return "\n" + mode.text();
}

}  // namespace

TEST_CASE("logging: a composite arrives as its parts, forward and backward") {
  const Tensor x = ones({2, 3}), w = ones({4, 3}, requires_grad(true)), b = zeros({4}, requires_grad(true));
  CHECK(log_of([&] { softmax(linear(x, w, b), -1).sum().backward(); }) == R"(
$1: f32[3, 4] = aten::t($0)
$4: f32[2, 4] = aten::addmm($2, $3, $1)
$5: f32[2, 4] = aten::_softmax($4, -1, False)
$6: f32[] = aten::sum($5)
$7: f32[] = aten::ones_like($6)
$8: f32[2, 4] = aten::expand($7, [2, 4])
$9: f32[2, 4] = aten::_softmax_backward_data($8, $5, -1, f32)
$10: f32[1, 4] = aten::sum.dim_IntList($9, [0], True)
$11: f32[4] = aten::view($10, [4])
$12: f32[4, 2] = aten::t($9)
$13: f32[4, 3] = aten::mm($12, $3)
$14: f32[3, 4] = aten::t($13)
$13: f32[4, 3] = aten::t($14)
)");  // no clone at the end: AccumulateGrad takes both gradients over, as it does when nobody looks
}

TEST_CASE("logging: factories, which have no tensor argument, arrive as they were called") {
  CHECK(log_of([] {
          empty({2, 3});
          zeros({2}, kDouble);
          ones({2}, TensorOptions(kLong).device(kCPU));
          full({2}, 2.5);
          scalar_tensor(3);
          arange(4);
          arange(1, 4, 2, kFloat);
          eye(2);
          empty_strided({2, 2}, {1, 2});
        }) == R"(
$0: f32[2, 3] = aten::empty.memory_format([2, 3])
$1: f64[2] = aten::zeros([2], dtype=f64)
$2: i64[2] = aten::ones([2], dtype=i64, device=cpu)
$3: f32[2] = aten::full([2], 2.5)
$4: f32[] = aten::scalar_tensor(3)
$5: i64[4] = aten::arange(4)
$6: f32[2] = aten::arange.start_step(1, 4, 2, dtype=f32)
$7: f32[2, 2] = aten::eye.m(2, 2)
$8: f32[2, 2] = aten::empty_strided([2, 2], [1, 2])
)");
}

TEST_CASE("logging: random numbers are operators; what is a plain function arrives as those it calls") {
  CHECK(log_of([] {
          rand({2});
          randn({2}, kMeta);
          tensor({1.0, 2.0});
        }) == R"(
$0: f32[2] = aten::rand([2])
$1: f32[2] = aten::randn([2], device=meta)
$3: f32[2] = aten::to.dtype_layout($2, dtype=f32)
)");
}

TEST_CASE(
    "logging: one number for the same elements: in place, detach; another for a view of another shape") {
  const Tensor x = ones({2, 3});
  CHECK(log_of([&] {
          x.add_(x);
          x.detach().mul_(x);
          x.t().mul(x.t());
        }) == R"(
$0: f32[2, 3] = aten::add_.Tensor($0, $0)
$0: f32[2, 3] = aten::detach($0)
$0: f32[2, 3] = aten::mul_.Tensor($0, $0)
$1: f32[3, 2] = aten::t($0)
$1: f32[3, 2] = aten::t($0)
$2: f32[3, 2] = aten::mul.Tensor($1, $1)
)");
}

TEST_CASE(
    "logging: under InferenceMode composites arrive whole, for nothing above the mode takes them apart") {
  const Tensor x = ones({2, 3}), w = ones({4, 3});
  CHECK(log_of([&] {
          const InferenceMode inference;
          linear(x, w);
        }) == R"(
$2: f32[2, 4] = aten::linear($0, $1, None)
)");
}

TEST_CASE("logging: a call that throws leaves no line, and the mode where it was") {
  const Tensor x = ones({2, 3});
  LoggingMode mode;
  const DispatchModeGuard guard(&mode);
  CHECK_THROWS_AS(x.mm(x), Error);
  CHECK(active_dispatch_mode() == &mode);
  CHECK(mode.lines().empty());
  x.neg();
  CHECK(mode.text() == "$1: f32[2, 3] = aten::neg($0)\n");
}

TEST_CASE("logging: each thread has its own stack") {
  LoggingMode here, there;
  const DispatchModeGuard guard(&here);
  std::thread([&] {
    CHECK(active_dispatch_mode() == nullptr);
    const DispatchModeGuard other(&there);
    ones({2}).neg();
  }).join();
  CHECK(here.lines().empty());
  CHECK(there.lines().size() == 2);
}
