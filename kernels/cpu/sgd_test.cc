#include "kernels/cpu/sgd.h"

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu::testing;
using gb::cpu::SgdStep;

namespace {

struct Reference {
  double p, b;
  void run(double g, const SgdStep& s) {
    double d = g + s.weight_decay * p;
    if (s.momentum != 0) {
      b = s.first ? d : s.momentum * b + (1 - s.dampening) * d;
      d = s.nesterov ? d + s.momentum * b : b;
    }
    p -= s.lr * d;
  }
};

constexpr SgdStep kSteps[] = {
    {.lr = 0.1, .momentum = 0, .dampening = 0, .weight_decay = 0, .nesterov = false, .first = false},
    {.lr = 0.1, .momentum = 0, .dampening = 0, .weight_decay = 0.25, .nesterov = false, .first = false},
    {.lr = 0.1, .momentum = 0.9, .dampening = 0.5, .weight_decay = 0.25, .nesterov = false, .first = false},
    {.lr = 0.1, .momentum = 0.9, .dampening = 0, .weight_decay = 0, .nesterov = true, .first = false},
};

}  // namespace

TEST_CASE("sgd: the formula, for each dtype, length and kind of step") {
  for_each_capability([] {
    for (ScalarType dtype : kFloatingTypes) {
      for (SgdStep step : kSteps) {
        for (int64_t n : {0, 1, 7, 16, 100}) {
          Random random(static_cast<uint64_t>(n) + 1);
          Buffer p(dtype, n), g(dtype, n), b(dtype, n, kNaN);  // the first step must not read b
          random.fill(p);
          std::vector<Reference> reference;
          for (int64_t i = 0; i < n; ++i) reference.push_back({p.get(i), 0});
          for (int t = 0; t < 3; ++t) {
            step.first = t == 0;
            random.fill(g);
            cpu::sgd(dtype, {p.data(), g.data(), step.momentum != 0 ? b.data() : nullptr}, n, step);
            for (int64_t i = 0; i < n; ++i) reference[static_cast<size_t>(i)].run(g.get(i), step);
          }
          for (int64_t i = 0; i < n; ++i) CHECK(near(dtype, p.get(i), reference[static_cast<size_t>(i)].p, 16, 4));
        }
      }
    }
  });
}

TEST_CASE("sgd: the same bits on every instruction set; integers are refused") {
  std::vector<Buffer> results;
  for_each_capability([&] {
    Random random(3);
    Buffer p(kFloat, 1000), g(kFloat, 1000), b(kFloat, 1000);
    random.fill(p);
    for (int t = 0; t < 20; ++t) {
      random.fill(g);
      cpu::sgd(kFloat, {p.data(), g.data(), b.data()}, 1000, kSteps[2]);
    }
    results.push_back(p);
    CHECK_THROWS_AS(cpu::sgd(kLong, {p.data(), g.data(), nullptr}, 1, kSteps[0]), NotImplementedError);
  });
  for (const Buffer& result : results) CHECK(std::memcmp(result.data(), results[0].data(), 4000) == 0);
}
