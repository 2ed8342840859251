// BFloat16: the upper half of a float, a storage type. 1 sign, 8 exponent, 7 fraction bits.
//
// Like Half it converts implicitly from and to float and has no arithmetic of its own. From float it rounds
// to nearest even; every NaN becomes 0x7fc0 (c10/util/BFloat16.h). Range is float's, subnormals included.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace gb {

namespace detail {

[[gnu::always_inline]] constexpr float bfloat16_bits_to_float(uint16_t b) {
  return std::bit_cast<float>(uint32_t(b) << 16);
}

[[gnu::always_inline]] constexpr uint16_t float_to_bfloat16_bits(float f) {
  const uint32_t bits = std::bit_cast<uint32_t>(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
  return uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >>
                  16);  // a carry out of the fraction is right as it is
}

}  // namespace detail

struct BFloat16 {
  uint16_t x;  // the bits

  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return {}; }

  BFloat16() = default;
  [[gnu::always_inline]] constexpr BFloat16(uint16_t bits, from_bits_t) : x(bits) {}
  [[gnu::always_inline]] constexpr BFloat16(float f)
      : x(detail::float_to_bfloat16_bits(f)) {}              // NOLINT: implicit
  [[gnu::always_inline]] constexpr operator float() const {  // NOLINT: implicit
    return detail::bfloat16_bits_to_float(x);
  }
};
static_assert(sizeof(BFloat16) == 2);

}  // namespace gb

template <>
struct std::numeric_limits<gb::BFloat16> : std::numeric_limits<float> {
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4;
  static constexpr gb::BFloat16 bits(uint16_t b) { return {b, gb::BFloat16::from_bits()}; }
  static constexpr gb::BFloat16 min() { return bits(0x0080); }  // 2^-126
  static constexpr gb::BFloat16 max() { return bits(0x7f7f); }
  static constexpr gb::BFloat16 lowest() { return bits(0xff7f); }
  static constexpr gb::BFloat16 epsilon() { return bits(0x3c00); }  // 2^-7
  static constexpr gb::BFloat16 round_error() { return bits(0x3f00); }
  static constexpr gb::BFloat16 infinity() { return bits(0x7f80); }
  static constexpr gb::BFloat16 quiet_NaN() { return bits(0x7fc0); }
  static constexpr gb::BFloat16 signaling_NaN() { return bits(0x7fa0); }
  static constexpr gb::BFloat16 denorm_min() { return bits(0x0001); }  // 2^-133
};
