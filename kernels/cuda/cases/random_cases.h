// What the random kernel must draw: the numbers of core/generator.h.
#pragma once

#include "core/generator.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/random/random.h"

namespace gb::cuda::cases {

// A transposed [20, 30]: the order of the numbers is that of the rows, not of the memory.
inline void random_matches(Machine& machine, ScalarType dtype, const Drawing& drawing) {
  INFO("distribution " << static_cast<int>(drawing.distribution) << " of " << toString(dtype));
  const RandomNumbers numbers{.seed = 42, .first = (uint64_t{1} << 32) - 100};
  Array out(machine, dtype, Values(600));
  cpu::Dims<1> it;
  it.push(20, {1});
  it.push(30, {20});
  fill_random(dtype, out.data(), it, numbers.seed, numbers.first, drawing, nullptr);
  Values want(600);
  for (int64_t i = 0; i < 600; ++i) {
    double& x = want[static_cast<size_t>(i / 30 + i % 30 * 20)];
    switch (drawing.distribution) {
      case Distribution::Normal: x = drawing.a + drawing.b * numbers.normal(i); break;
      case Distribution::Uniform: x = drawing.a + (drawing.b - drawing.a) * numbers.uniform(i); break;
      case Distribution::Bernoulli: x = numbers.uniform(i) < drawing.a; break;
      case Distribution::Integers: x = static_cast<double>(drawing.from + numbers.bits(i) % drawing.range); break;
    }
  }
  check_close(out.values(), rounded(dtype, want), tolerance(dtype));
}

inline void random_cases(Machine& machine) {
  for (ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt, kBool}) {
    if (isFloatingType(dtype)) {
      random_matches(machine, dtype, {.distribution = Distribution::Normal, .a = 1, .b = 2});
      random_matches(machine, dtype, {.distribution = Distribution::Uniform, .a = -1, .b = 3});
    }
    random_matches(machine, dtype, {.distribution = Distribution::Bernoulli, .a = 0.25});
    random_matches(machine, dtype, {.distribution = Distribution::Integers, .from = 5, .range = 100});
  }
}

}  // namespace gb::cuda::cases
