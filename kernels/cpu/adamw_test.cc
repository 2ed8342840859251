#include "kernels/cpu/adamw.h"

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu::testing;
using gb::cpu::AdamWStep;

namespace {

// One step for one element, in double.
struct Reference {
  double p, m, v, largest;
  void run(double g, const AdamWStep& s, bool amsgrad) {
    p *= s.decay;
    m = s.beta1 * m + (1 - s.beta1) * g;
    v = s.beta2 * v + (1 - s.beta2) * g * g;
    largest = amsgrad ? std::max(largest, v) : v;
    p -= s.step_size * m / (std::sqrt(largest) / s.sqrt_bias_correction2 + s.eps);
  }
};

AdamWStep step_number(int t) {
  return {.decay = 1 - 1e-3 * 1e-2,
          .beta1 = 0.9,
          .beta2 = 0.999,
          .eps = 1e-8,
          .step_size = 1e-3 / (1 - std::pow(0.9, t)),
          .sqrt_bias_correction2 = std::sqrt(1 - std::pow(0.999, t))};
}

}  // namespace

TEST_CASE("adamw: the formula, for each dtype and length") {
  for_each_capability([] {
    for (ScalarType dtype : kFloatingTypes) {
      for (bool amsgrad : {false, true}) {
        for (int64_t n : {0, 1, 7, 16, 100}) {
          Random random(static_cast<uint64_t>(n) + 1);
          Buffer p(dtype, n), g(dtype, n), m(dtype, n), v(dtype, n), largest(dtype, n);
          random.fill(p);
          std::vector<Reference> reference;
          for (int64_t i = 0; i < n; ++i) reference.push_back({p.get(i), 0, 0, 0});
          for (int t = 1; t <= 5; ++t) {
            random.fill(g);
            cpu::adamw(dtype, {p.data(), g.data(), m.data(), v.data(), amsgrad ? largest.data() : nullptr}, n,
                       step_number(t));
            for (int64_t i = 0; i < n; ++i) reference[static_cast<size_t>(i)].run(g.get(i), step_number(t), amsgrad);
          }
          for (int64_t i = 0; i < n; ++i) {
            const Reference& want = reference[static_cast<size_t>(i)];
            CHECK(near(dtype, p.get(i), want.p, 8));
            CHECK(near(dtype, m.get(i), want.m, 16, 1));
            CHECK(near(dtype, v.get(i), want.v, 16));
            CHECK((!amsgrad || near(dtype, largest.get(i), want.largest, 16)));
          }
        }
      }
    }
  });
}

TEST_CASE("adamw: the same bits on every instruction set") {
  std::vector<Buffer> results;
  for_each_capability([&] {
    Random random(3);
    Buffer p(kFloat, 1000), g(kFloat, 1000), m(kFloat, 1000), v(kFloat, 1000);
    random.fill(p);
    for (int t = 1; t <= 20; ++t) {
      random.fill(g);
      cpu::adamw(kFloat, {p.data(), g.data(), m.data(), v.data(), nullptr}, 1000, step_number(t));
    }
    results.push_back(p);
  });
  for (const Buffer& result : results) CHECK(std::memcmp(result.data(), results[0].data(), 4000) == 0);
}

TEST_CASE("adamw: a NaN stays in its element; integers are refused") {
  for_each_capability([] {
    Buffer p(kFloat, 3, 1), g(kFloat, 3, 1), m(kFloat, 3), v(kFloat, 3), largest(kFloat, 3);
    g.set(1, kNaN);
    cpu::adamw(kFloat, {p.data(), g.data(), m.data(), v.data(), largest.data()}, 3, step_number(1));
    CHECK(std::isnan(p.get(1)));
    CHECK(std::isnan(largest.get(1)));
    CHECK(p.get(0) == p.get(2));
    CHECK(p.get(0) < 1);
    CHECK_THROWS_AS(cpu::adamw(kLong, {p.data(), g.data(), m.data(), v.data(), nullptr}, 1, step_number(1)),
                    NotImplementedError);
  });
}
