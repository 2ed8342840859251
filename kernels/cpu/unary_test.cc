#include "kernels/cpu/unary.h"

#include <bit>

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

constexpr UnaryOp kOps[] = {UnaryOp::Neg,        UnaryOp::Exp,      UnaryOp::Log,  UnaryOp::Sqrt,
                            UnaryOp::Reciprocal, UnaryOp::Rsqrt,    UnaryOp::Tanh, UnaryOp::Sigmoid,
                            UnaryOp::Gelu,       UnaryOp::GeluTanh, UnaryOp::Sin,  UnaryOp::Cos,
                            UnaryOp::Relu,       UnaryOp::Abs,      UnaryOp::Sign, UnaryOp::Floor};

bool supported(UnaryOp op, ScalarType t) {
  const bool keeps = op == UnaryOp::Neg || op >= UnaryOp::Relu;
  return isFloatingType(t) || (keeps && t != kBool) || op == UnaryOp::Sign;
}

double reference(UnaryOp op, double a) {
  switch (op) {
    case UnaryOp::Neg:
      return -a;
    case UnaryOp::Exp:
      return std::exp(a);
    case UnaryOp::Log:
      return std::log(a);
    case UnaryOp::Sqrt:
      return std::sqrt(a);
    case UnaryOp::Reciprocal:
      return 1 / a;
    case UnaryOp::Rsqrt:
      return 1 / std::sqrt(a);
    case UnaryOp::Tanh:
      return std::tanh(a);
    case UnaryOp::Sigmoid:
      return 1 / (1 + std::exp(-a));
    case UnaryOp::Gelu:
      return a * 0.5 * std::erfc(-a / std::sqrt(2));
    case UnaryOp::GeluTanh:
      return a / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (a + 0.044715 * a * a * a)));
    case UnaryOp::Sin:
      return std::sin(a);
    case UnaryOp::Cos:
      return std::cos(a);
    case UnaryOp::Relu:
      return std::isnan(a) ? a : std::max(a, 0.0);
    case UnaryOp::Abs:
      return std::fabs(a);
    case UnaryOp::Sign:
      return (a > 0) - (a < 0);
    case UnaryOp::Floor:
      return std::floor(a);
  }
  return 0;
}

// Units of the last place. GELU's argument is squared before it is exponentiated, so its error grows with it.
double allowed(UnaryOp op) { return op == UnaryOp::Gelu || op == UnaryOp::GeluTanh ? 24 : 3; }

int64_t wrong(UnaryOp op, ScalarType t, int64_t rows, int64_t cols, const int64_t (&rs)[2],
              const int64_t (&cs)[2]) {
  const auto extent = [&](int k) { return rows && cols ? (rows - 1) * rs[k] + (cols - 1) * cs[k] + 1 : 0; };
  Buffer a(t, extent(1)), out(t, extent(0));
  Random random(23);
  random.fill(a);
  const double special[] = {kNaN, kInf, -kInf, 0.0, 100, -110, 88.72, -103.5};
  if (isFloatingType(t))
    for (int64_t i = 0; i < 8 && i * 3 < a.size(); ++i) a.set(i * 3, special[i]);
  Dims<2> it;
  it.push(rows, rs);
  it.push(cols, cs);
  unary(op, t, out.data(), a.data(), it);
  int64_t n = 0;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const Buffer want(t, 1, reference(op, a.get(i * rs[1] + j * cs[1])));
      // The smallest normal number bounds the error where results are subnormal.
      n +=
          !near(t, out.get(i * rs[0] + j * cs[0]), want.get(0), allowed(op), t == kHalf ? 0x1p-14 : 0x1p-126);
    }
  }
  return n;
}

uint32_t ordered(float f) {  // floats in order as integers, so that a difference counts representable numbers
  const uint32_t b = std::bit_cast<uint32_t>(f);
  return b & 0x80000000u ? 0x80000000u - (b & 0x7fffffffu) : 0x80000000u + b;
}

}  // namespace

TEST_CASE("unary: every op, dtype, layout and size against libm in double") {
  for_each_capability([] {
    for (UnaryOp op : kOps) {
      for (ScalarType t : kAllTypes) {
        if (!supported(op, t)) continue;
        INFO(std::string(toString(op)), " ", std::string(toString(t)));
        for (int64_t n : {0, 1, 3, 16, 31, 67}) {
          INFO("n = ", n);
          CHECK(wrong(op, t, 1, n, {n, n}, {1, 1}) == 0);
          CHECK(wrong(op, t, 1, n, {n, n}, {2, 3}) == 0);
          CHECK(wrong(op, t, 5, n, {n, 1}, {1, 5}) == 0);  // a transposed
          CHECK(wrong(op, t, 5, n, {n, 0}, {1, 1}) == 0);  // a broadcast
        }
      }
    }
  });
}

TEST_CASE("exp in float: at most one unit in the last place over the whole range") {
  for_each_capability([] {
    // Every 1009th float, both signs; a block at a time, so that body and tail of the row are both used.
    float in[61], out[61];
    int filled = 0;
    uint32_t worst = 0;
    float worst_at = 0;
    int64_t seen = 0;
    for (uint64_t u = 0; u < 0x100000000ull; u += 1009) {
      const float f = std::bit_cast<float>(static_cast<uint32_t>(u));
      if (std::isnan(f)) continue;
      in[filled++] = f;
      if (filled < 61) continue;
      filled = 0;
      const int64_t n = 61;
      const int64_t one = 1;
      unary(UnaryOp::Exp, kFloat, out, in, Strided<2>{1, &n, {&one, &one}});
      for (int i = 0; i < 61; ++i) {
        const uint32_t got = ordered(out[i]), want = ordered(static_cast<float>(std::exp(double(in[i]))));
        const uint32_t distance = got > want ? got - want : want - got;
        if (distance > worst) worst = distance, worst_at = in[i];
        ++seen;
      }
    }
    INFO("worst at ", worst_at);
    CHECK(seen > 4'000'000);
    CHECK(worst <= 1);
  });
}

TEST_CASE("exp in float: special values, and exactly 1 at 0") {
  for_each_capability([] {
    float in[] = {0.f, -0.f, INFINITY, -INFINITY, NAN, 88.8f, -104.f, 88.72283f}, out[8];
    const int64_t n = 8, one = 1;
    unary(UnaryOp::Exp, kFloat, out, in, Strided<2>{1, &n, {&one, &one}});
    CHECK(out[0] == 1.f);
    CHECK(out[1] == 1.f);
    CHECK(out[2] == INFINITY);
    CHECK(out[3] == 0.f);
    CHECK(std::isnan(out[4]));
    CHECK(out[5] == INFINITY);
    CHECK(out[6] == 0.f);
    CHECK(out[7] == doctest::Approx(3.4028e38));
  });
}

TEST_CASE("unary: what has no kernel has a four-part error") {
  int64_t a = 1, out = 7;
  const Strided<2> one{0, nullptr, {nullptr, nullptr}};
  CHECK_THROWS_WITH_AS(unary(UnaryOp::Exp, kLong, &out, &a, one),
                       doctest::Contains("\"exp_cpu\" not implemented for 'Long'"), NotImplementedError);
  CHECK_THROWS_AS(unary(UnaryOp::Neg, kBool, &out, &a, one), NotImplementedError);
  CHECK(out == 7);
}
