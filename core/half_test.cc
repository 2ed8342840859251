// Half and BFloat16 against references that work another way: values from ldexp, rounding from nearbyint in
// double.
#include "core/half.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

#include "core/bfloat16.h"

namespace {

uint32_t bits_of(float f) { return std::bit_cast<uint32_t>(f); }

// The value of a binary16 / bfloat16 number, by definition.
double value_of(uint16_t b, int fraction_bits, int bias) {
  const int exponent_bits = 15 - fraction_bits, fraction = b & ((1 << fraction_bits) - 1);
  const int exponent = (b >> fraction_bits) & ((1 << exponent_bits) - 1);
  double v;
  if (exponent == (1 << exponent_bits) - 1)
    v = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    v = std::ldexp(fraction, 1 - bias - fraction_bits);
  else
    v = std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
  return b & 0x8000 ? -v : v;
}

// Nearest-even rounding of a finite f to a grid of fraction_bits and bias, as bits.
uint16_t round_reference(float f, int fraction_bits, int bias) {
  const uint16_t sign = std::signbit(f) ? 0x8000 : 0;
  const double a = std::fabs(double(f));
  const int infinity = ((1 << (15 - fraction_bits)) - 1) << fraction_bits;
  if (std::isinf(a)) return uint16_t(sign | infinity);
  int e = a == 0 ? 1 - bias : std::ilogb(a);
  if (e < 1 - bias) e = 1 - bias;                                     // subnormal grid
  const double n = std::nearbyint(std::ldexp(a, fraction_bits - e));  // in units of the last place
  const int bits = ((e + bias - 1) << fraction_bits) + int(n);        // n has the hidden bit unless subnormal
  return uint16_t(sign | (bits > infinity ? infinity : bits));
}

// Every 16-bit value's float, both midpoints to its neighbours, one float step to each side, and a stride
// through all floats by a prime.
template <class Visit>
void for_each_interesting_float(int fraction_bits, int bias, Visit visit) {
  for (uint32_t b = 0; b < 0x10000; ++b) {
    const double v = value_of(uint16_t(b), fraction_bits, bias),
                 w = value_of(uint16_t(b + 1), fraction_bits, bias);
    for (double d : {v, (v + w) / 2}) {
      if (std::isnan(d)) continue;
      const float f = float(d);
      visit(f);
      visit(std::nextafterf(f, INFINITY));
      visit(std::nextafterf(f, -INFINITY));
    }
  }
  for (uint64_t u = 0; u < 0x100000000ull; u += 997) visit(std::bit_cast<float>(uint32_t(u)));
}

}  // namespace

TEST_CASE("Half to float: all 65536 values are exact") {
  int wrong = 0;
  for (uint32_t b = 0; b < 0x10000; ++b) {
    const float f = gb::Half(uint16_t(b), gb::Half::from_bits());
    const double v = value_of(uint16_t(b), 10, 15);
    wrong += std::isnan(v) ? !std::isnan(f) : bits_of(f) != bits_of(float(v));
  }
  CHECK(wrong == 0);
}

TEST_CASE("float to Half: nearest even, bit for bit") {
  int64_t wrong = 0, seen = 0;
  for_each_interesting_float(10, 15, [&](float f) {
    if (std::isnan(f)) return;
    ++seen;
    wrong += gb::Half(f).x != round_reference(f, 10, 15);
  });
  CHECK(seen > 4'000'000);
  CHECK(wrong == 0);
  CHECK(gb::Half(65519.99f).x == 0x7bff);
  CHECK(gb::Half(65520.f).x == 0x7c00);  // a tie, and infinity is the even neighbour
  CHECK(gb::Half(-0.f).x == 0x8000);
  CHECK(std::isnan(float(gb::Half(NAN))));
  CHECK(gb::Half(-std::numeric_limits<float>::quiet_NaN()).x == 0xfe00);
}

TEST_CASE("BFloat16 to float: all 65536 values are exact") {
  int wrong = 0;
  for (uint32_t b = 0; b < 0x10000; ++b) {
    const float f = gb::BFloat16(uint16_t(b), gb::BFloat16::from_bits());
    const double v = value_of(uint16_t(b), 7, 127);
    wrong += std::isnan(v) ? !std::isnan(f) : bits_of(f) != bits_of(float(v));
  }
  CHECK(wrong == 0);
}

TEST_CASE("float to BFloat16: nearest even, bit for bit") {
  int64_t wrong = 0, seen = 0;
  for_each_interesting_float(7, 127, [&](float f) {
    if (std::isnan(f)) return;
    ++seen;
    wrong += gb::BFloat16(f).x != round_reference(f, 7, 127);
  });
  CHECK(seen > 4'000'000);
  CHECK(wrong == 0);
  CHECK(gb::BFloat16(std::numeric_limits<float>::max()).x == 0x7f80);
  CHECK(gb::BFloat16(NAN).x == 0x7fc0);
  CHECK(gb::BFloat16(-NAN).x == 0x7fc0);
}

TEST_CASE("both are storage types: arithmetic happens in float") {
  const gb::Half a = 1.f, b = 0x1p-11f;
  static_assert(std::is_same_v<decltype(a + b), float>);
  CHECK(a + b == 1.f + 0x1p-11f);        // not rounded yet
  CHECK(float(gb::Half(a + b)) == 1.f);  // rounded to even when stored
  constexpr gb::Half two = 2.f;          // usable at compile time
  static_assert(two.x == 0x4000 && gb::BFloat16(2.f).x == 0x4000);
}

TEST_CASE("numeric_limits") {
  using H = std::numeric_limits<gb::Half>;
  using B = std::numeric_limits<gb::BFloat16>;
  CHECK(float(H::max()) == 65504.f);
  CHECK(float(H::min()) == 0x1p-14f);
  CHECK(float(H::denorm_min()) == 0x1p-24f);
  CHECK(1.f + float(H::epsilon()) == float(gb::Half(1.f + 0x1p-10f)));
  CHECK(float(B::epsilon()) == 0x1p-7f);
  CHECK(float(B::min()) == std::numeric_limits<float>::min());
  CHECK(std::isnan(float(B::quiet_NaN())));
  CHECK(std::isinf(float(B::infinity())));
}
