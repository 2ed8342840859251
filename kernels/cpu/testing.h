// What the kernel tests share: buffers of any dtype read and written as double, and a loop over the
// instruction sets of this machine.
//
// References are naive loops in double over these buffers, so that no test repeats a kernel's own arithmetic.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/bfloat16.h"
#include "core/half.h"
#include "core/scalar_type.h"
#include "kernels/cpu/capability.h"

namespace gb::cpu::testing {

inline constexpr ScalarType kAllTypes[] = {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt, kBool};
inline constexpr ScalarType kFloatingTypes[] = {kFloat, kDouble, kHalf, kBFloat16};
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

// The distance from 1 to the next number: comparisons allow a few of these.
inline double epsilon(ScalarType t) {
  switch (t) {
    case kFloat:
      return 0x1p-23;
    case kDouble:
      return 0x1p-52;
    case kHalf:
      return 0x1p-10;
    case kBFloat16:
      return 0x1p-7;
    default:
      return 0;
  }
}

// n elements of dtype t, readable as double. (An int64 above 2^53 is tested with plain arrays instead.)
class Buffer {
 public:
  Buffer(ScalarType t, int64_t n, double value = 0)
      : t_(t), bytes_(static_cast<size_t>(n) * elementSize(t)), n_(n) {
    for (int64_t i = 0; i < n; ++i) set(i, value);
  }
  void* data() { return bytes_.data(); }
  const void* data() const { return bytes_.data(); }
  void* at(int64_t i) { return bytes_.data() + i * static_cast<int64_t>(elementSize(t_)); }
  ScalarType dtype() const { return t_; }
  int64_t size() const { return n_; }

  double get(int64_t i) const {
    switch (t_) {
      case kFloat:
        return read<float>(i);
      case kDouble:
        return read<double>(i);
      case kHalf:
        return read<Half>(i);
      case kBFloat16:
        return read<BFloat16>(i);
      case kLong:
        return static_cast<double>(read<int64_t>(i));
      case kInt:
        return read<int32_t>(i);
      default:
        return read<bool>(i);
    }
  }
  void set(int64_t i, double v) {
    switch (t_) {
      case kFloat:
        return write(i, static_cast<float>(v));
      case kDouble:
        return write(i, v);
      case kHalf:
        return write(i, Half(static_cast<float>(v)));
      case kBFloat16:
        return write(i, BFloat16(static_cast<float>(v)));
      case kLong:
        return write(i, static_cast<int64_t>(v));
      case kInt:
        return write(i, static_cast<int32_t>(v));
      default:
        return write(i, v != 0);
    }
  }

 private:
  template <class T>
  T read(int64_t i) const {
    T v;
    std::memcpy(&v, bytes_.data() + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return v;
  }
  template <class T>
  void write(int64_t i, T v) {
    std::memcpy(bytes_.data() + i * static_cast<int64_t>(sizeof(T)), &v, sizeof(T));
  }

  ScalarType t_;
  std::vector<char> bytes_;
  int64_t n_;
};

// A small generator of its own, so that a failing case is the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2654435769u + 1) {}
  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  int64_t below(int64_t n) { return static_cast<int64_t>(next() % static_cast<uint64_t>(n)); }
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  void fill(Buffer& b, double lo = -4, double hi = 4) {
    for (int64_t i = 0; i < b.size(); ++i) b.set(i, uniform(lo, hi));
  }

 private:
  uint64_t state_;
};

// Equal within `ulps` units of the last place of `want`'s magnitude (or of `scale`, if larger); NaN equals
// NaN.
inline bool near(ScalarType t, double got, double want, double ulps, double scale = 0) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want) || std::isinf(got)) return got == want;
  return std::fabs(got - want) <= ulps * epsilon(t) * std::max(std::fabs(want), scale);
}

// Runs the body once for each instruction set of this machine, and restores the choice.
template <class Body>
void for_each_capability(Body body) {
  const CPUCapability before = cpu_capability();
  for (int c = 0; c <= static_cast<int>(max_cpu_capability()); ++c) {
    set_cpu_capability(static_cast<CPUCapability>(c));
    INFO("instruction set ", std::string(toString(cpu_capability())));
    body();
  }
  set_cpu_capability(before);
}

}  // namespace gb::cpu::testing
