// Half: IEEE binary16, a storage type. 1 sign, 5 exponent, 10 fraction bits.
//
// It converts implicitly from and to float and has no arithmetic of its own: `a + b` of two halves is a
// float, and storing it back rounds once, to nearest even. That is PyTorch's rule (c10/util/Half.h) and the
// reason why kernels compute in float. Subnormals, infinities and NaN are kept; a float above 65519.996
// becomes infinity. The conversions are software; a file compiled with F16C (only kernels/cpu has such files)
// uses the instruction, which gives the same bits for every input. They are always inlined, so that such a
// file leaves no copy of the instruction behind for the linker to hand to other files.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#ifdef __F16C__
#include <immintrin.h>
#endif

namespace gb {

namespace detail {

[[gnu::always_inline]] constexpr float half_bits_to_float(uint16_t h) {
  const uint32_t sign = uint32_t(h & 0x8000u) << 16;
  const uint32_t exponent = (h >> 10) & 0x1fu, fraction = h & 0x3ffu;
  if (exponent == 0) {  // zero or subnormal: fraction * 2^-24, exact in float
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  if (exponent == 0x1f)  // infinity or NaN (made quiet, as the processor does)
    return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13) | (fraction != 0 ? 0x400000u : 0u));
  return std::bit_cast<float>(sign | ((exponent + 127 - 15) << 23) | (fraction << 13));
}

[[gnu::always_inline]] constexpr uint16_t float_to_half_bits(float f) {
  const uint32_t bits = std::bit_cast<uint32_t>(f);
  const uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return uint16_t(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u) return uint16_t(sign | 0x7c00u);  // 65520 and above round to infinity
  if (magnitude < 0x38800000u) {                                  // below 2^-14: the result is subnormal
    // Adding 0.5 puts the half's last bit, 2^-24, at the float's last bit: the addition itself rounds to
    // nearest even, and the sum's fraction bits are the answer.
    const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
    return uint16_t(sign | (std::bit_cast<uint32_t>(rounded) - 0x3f000000u));
  }
  // Normal: drop 13 bits, to nearest even; a carry into the exponent is what it should be.
  const uint32_t odd = (magnitude >> 13) & 1u;
  return uint16_t(sign | ((magnitude - (uint32_t(127 - 15) << 23) + 0xfffu + odd) >> 13));
}

}  // namespace detail

struct Half {
  uint16_t x;  // the bits

  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return {}; }

  Half() = default;
  [[gnu::always_inline]] constexpr Half(uint16_t bits, from_bits_t) : x(bits) {}
  [[gnu::always_inline]] constexpr Half(float f) : x(round(f)) {}  // NOLINT: implicit on purpose
  [[gnu::always_inline]] constexpr operator float() const {        // NOLINT: implicit on purpose
#ifdef __F16C__
    if (!std::is_constant_evaluated()) return _cvtsh_ss(x);
#endif
    return detail::half_bits_to_float(x);
  }

 private:
  [[gnu::always_inline]] static constexpr uint16_t round(float f) {
#ifdef __F16C__
    if (!std::is_constant_evaluated()) return _cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT);
#endif
    return detail::float_to_half_bits(f);
  }
};
static_assert(sizeof(Half) == 2);

}  // namespace gb

template <>
struct std::numeric_limits<gb::Half> : std::numeric_limits<float> {
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5;
  static constexpr int min_exponent = -13, min_exponent10 = -4, max_exponent = 16, max_exponent10 = 4;
  static constexpr gb::Half bits(uint16_t b) { return {b, gb::Half::from_bits()}; }
  static constexpr gb::Half min() { return bits(0x0400); }  // 2^-14
  static constexpr gb::Half max() { return bits(0x7bff); }  // 65504
  static constexpr gb::Half lowest() { return bits(0xfbff); }
  static constexpr gb::Half epsilon() { return bits(0x1400); }  // 2^-10
  static constexpr gb::Half round_error() { return bits(0x3800); }
  static constexpr gb::Half infinity() { return bits(0x7c00); }
  static constexpr gb::Half quiet_NaN() { return bits(0x7e00); }
  static constexpr gb::Half signaling_NaN() { return bits(0x7d00); }
  static constexpr gb::Half denorm_min() { return bits(0x0001); }  // 2^-24
};
