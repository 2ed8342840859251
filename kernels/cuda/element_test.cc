// Half and BFloat16 against the compiler and against exact arithmetic.
#include "kernels/cuda/element.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using gb::cuda::BFloat16;
using gb::cuda::bits_float;
using gb::cuda::convert;
using gb::cuda::Half;

namespace {
Half half_bits(uint16_t bits) {
  Half h;
  h.bits = bits;
  return h;
}
uint16_t bits_of(_Float16 value) {
  uint16_t bits;
  memcpy(&bits, &value, 2);
  return bits;
}
}  // namespace

TEST_CASE("all 65536 halves convert to float as _Float16 does, and back to themselves") {
  int wrong = 0;
  for (unsigned b = 0; b < 65536; ++b) {
    _Float16 reference;
    const uint16_t bits = static_cast<uint16_t>(b);
    memcpy(&reference, &bits, 2);
    const float got = static_cast<float>(half_bits(bits)), want = static_cast<float>(reference);
    if (std::isnan(want)) {
      wrong += !std::isnan(got) || !std::isnan(static_cast<float>(Half(got)));
    } else {
      wrong += memcmp(&got, &want, 4) != 0 || Half(got).bits != bits;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("float to half rounds to nearest even, as _Float16 does") {
  std::mt19937 random(1);
  int wrong = 0;
  const auto check = [&](uint32_t bits) {
    const float f = bits_float(bits);
    if (!std::isnan(f)) wrong += Half(f).bits != bits_of(static_cast<_Float16>(f));
  };
  for (int i = 0; i < 2'000'000; ++i) check(static_cast<uint32_t>(random()));
  for (uint32_t exponent = 100; exponent < 145;
       ++exponent)  // around every boundary: subnormals, ties, overflow
    for (uint32_t i = 0; i < 4096; ++i) check(exponent << 23 | i << 11), check(exponent << 23 | i << 11 | 1);
  CHECK(wrong == 0);
}

TEST_CASE("float to bfloat16 gives a nearest value, ties to even") {
  std::mt19937 random(2);
  int wrong = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    const double f = bits_float(bits);
    if (!std::isfinite(f)) continue;
    const BFloat16 got(bits_float(bits));
    const double down = bits_float(bits & 0xffff0000), up = bits_float((bits & 0xffff0000) + 0x10000);
    const bool tie = (bits & 0xffff) == 0x8000, odd = bits >> 16 & 1;
    const bool want_up = std::abs(up - f) < std::abs(f - down) || (tie && odd) || ((bits & 0xffff) > 0x8000);
    wrong += got.bits != ((want_up ? (bits & 0xffff0000) + 0x10000 : bits) >> 16);
  }
  CHECK(wrong == 0);
  CHECK(std::isnan(static_cast<float>(BFloat16(NAN))));
  CHECK(static_cast<float>(BFloat16(INFINITY)) == INFINITY);
  CHECK(static_cast<float>(BFloat16(3.4e38f)) == INFINITY);
}

TEST_CASE("convert") {
  CHECK(convert<bool>(0.25));
  CHECK(convert<bool>(static_cast<float>(NAN)));
  CHECK_FALSE(convert<bool>(-0.0));
  CHECK(convert<int64_t>(-2.75f) == -2);
  CHECK(convert<int32_t>(Half(3.5f)) == 3);
  CHECK(static_cast<float>(convert<Half>(int64_t{2049})) == 2048);  // 11 bits, ties to even
  CHECK(static_cast<float>(convert<BFloat16>(true)) == 1);
}
