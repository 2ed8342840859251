#include "nn/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using gb::nn::Random;

TEST_CASE("equal seeds give equal streams, other seeds other ones") {
  Random a(7), b(7), c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const double x = a.normal();
    CHECK(x == b.normal());
    differs |= x != c.normal();
  }
  CHECK(differs);
}

TEST_CASE("the bits are those of the standard's mt19937_64") {
  // The standard fixes the 10000th output of a default-seeded engine.
  std::mt19937_64 engine;
  engine.discard(9999);
  const uint64_t expected = 9981545732273789042ull;
  CHECK(engine() == expected);
  Random random(std::mt19937_64::default_seed);
  for (int i = 0; i < 9999; ++i) random.uniform();
  CHECK(random.uniform() == static_cast<double>(expected >> 11) * 0x1p-53);
}

TEST_CASE("normal numbers have the moments of the normal distribution") {
  Random random(1);
  const int n = 200000;
  double sum = 0, squares = 0, fourth = 0;
  int within_one = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    within_one += std::abs(x) < 1;
  }
  // Five standard errors each: 1, sqrt(2), sqrt(96) and sqrt(p (1 - p)), over sqrt(n).
  const double e = 5 / std::sqrt(n);
  CHECK(std::abs(sum / n) < e);
  CHECK(std::abs(squares / n - 1) < e * 1.42);
  CHECK(std::abs(fourth / n - 3) < e * 9.8);
  CHECK(std::abs(within_one / double(n) - 0.682689) < e * 0.47);
}

TEST_CASE("uniform numbers stay in [0, 1)") {
  Random random(2);
  double low = 1, high = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform();
    low = std::min(low, x);
    high = std::max(high, x);
  }
  CHECK(low >= 0);
  CHECK(low < 1e-3);
  CHECK(high < 1);
  CHECK(high > 1 - 1e-3);
}
