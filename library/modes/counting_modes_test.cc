#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "autograd/inference_mode.h"
#include "library/custom_op.h"
#include "library/modes/flop_counter_mode.h"
#include "library/modes/logging_mode.h"
#include "library/modes/memory_mode.h"
#include "library/modes/profiler_mode.h"
#include "ops/ops.h"

using namespace gb;

TEST_CASE("flops: linear by its parts, forward and backward; elementwise operators count nothing") {
  const Tensor x = ones({2, 64}, requires_grad(true)), w = ones({600, 64}, requires_grad(true));
  const Tensor b = zeros({600}, requires_grad(true));
  FlopCounterMode forward, both;
  {
    const DispatchModeGuard guard(&forward);
    linear(x, w, b).exp();
  }
  CHECK(forward.get_total_flops() == 2 * 2 * 64 * 600);
  {
    const DispatchModeGuard guard(&both);
    linear(x, w, b).exp().sum().backward();
  }
  CHECK(both.table() == R"(operator                       calls            FLOPs
aten::mm                           2           307200
aten::addmm                        1           153600
total                                          460800
)");
}

TEST_CASE("memory: what was alive at once, not what was ever allocated") {
  const Tensor x = ones({1024}, kDouble);  // 8 KiB
  MemoryMode chain, held;
  {
    const DispatchModeGuard guard(&chain);
    Tensor y = x.exp();
    y = y.exp();  // of three results two at a time
    y = y.exp();
  }
  CHECK(chain.peak_bytes() == 2 * 8192);
  {
    const DispatchModeGuard guard(&held);
    const Tensor a = x.exp(), b = a.exp(), c = b.exp();
  }
  CHECK(held.peak_bytes() == 3 * 8192);
}

TEST_CASE("flops: shapes are enough, and a composite that arrives whole is taken apart") {
  const Tensor x = ones({5, 2, 64}, kMeta), w = ones({600, 64}, kMeta);
  FlopCounterMode mode;
  {
    const InferenceMode inference;
    const DispatchModeGuard guard(&mode);
    linear(x, w);
    CHECK(active_dispatch_mode() == &mode);
  }
  CHECK(mode.get_total_flops() == 2 * 10 * 64 * 600);
  CHECK(mode.get_flop_counts().at("aten::mm").calls == 1);
}

TEST_CASE("flops: a custom operator is one call with its own formula, or nothing") {
  const auto twice = custom_op("flop_test::twice(Tensor a, Tensor b) -> Tensor",
                               [](const Tensor& a, const Tensor& b) { return a.mm(b).add(a.mm(b)); });
  const Tensor a = ones({2, 3}), b = ones({3, 4});
  FlopCounterMode without, with;
  {
    const DispatchModeGuard guard(&without);
    twice.call<Tensor>(a, b);
  }
  CHECK(without.get_total_flops() == 0);  // opaque: what its kernel calls is not seen
  register_flop_formula("flop_test::twice", [](ArrayRef<IValue> in, ArrayRef<IValue> out) {
    return 4 * in[0].toTensor().size(1) * out[0].toTensor().numel();
  });
  {
    const DispatchModeGuard guard(&with);
    twice.call<Tensor>(a, b);
  }
  CHECK(with.get_total_flops() == 4 * 3 * 8);
}

TEST_CASE("profiler: total is self plus what the kernel calls in turn") {
  int64_t ticks = 0;  // each look at the clock is one microsecond later
  ProfilerMode mode([&] { return std::chrono::microseconds(ticks++); });
  {
    const DispatchModeGuard guard(&mode);
    zeros({2});  // calls empty and fill_
    empty({2});
  }
  CHECK(mode.table() == R"(operator                       calls      self us     total us
aten::zeros                        1          3.0          5.0
aten::empty.memory_format          2          2.0          2.0
aten::fill_.Scalar                 1          1.0          1.0
)");
}

TEST_CASE("profiler: a call that throws counts, and times what came before it") {
  const Tensor x = ones({2, 3});
  ProfilerMode mode;
  const DispatchModeGuard guard(&mode);
  CHECK_THROWS_AS(x.mm(x), Error);
  x.neg();
  CHECK(mode.profiles().at("aten::mm").calls == 1);
  CHECK((mode.profiles().at("aten::neg").self == mode.profiles().at("aten::neg").total));
  CHECK(active_dispatch_mode() == &mode);
}

TEST_CASE("modes stack: the innermost sees the call, the outer ones what it lets through") {
  LoggingMode log;
  ProfilerMode profile;
  FlopCounterMode flops;
  const DispatchModeGuard a(&log), b(&profile), c(&flops);
  ones({2, 3}).mm(zeros({3, 4}));
  CHECK(log.lines().size() == 3);
  CHECK(profile.profiles().size() == 3);
  CHECK(flops.get_total_flops() == 2 * 2 * 3 * 4);
}
