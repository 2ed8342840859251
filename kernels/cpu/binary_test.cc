#include "kernels/cpu/binary.h"

#include <string>

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

constexpr BinaryOp kOps[] = {BinaryOp::Add,
                             BinaryOp::Sub,
                             BinaryOp::Mul,
                             BinaryOp::Div,
                             BinaryOp::Eq,
                             BinaryOp::Ne,
                             BinaryOp::Lt,
                             BinaryOp::Le,
                             BinaryOp::Gt,
                             BinaryOp::Ge,
                             BinaryOp::Pow,
                             BinaryOp::Maximum,
                             BinaryOp::Minimum,
                             BinaryOp::TanhBackward,
                             BinaryOp::SigmoidBackward,
                             BinaryOp::ThresholdBackward,
                             BinaryOp::GeluBackward,
                             BinaryOp::GeluTanhBackward};

bool supported(BinaryOp op, ScalarType t) {
  switch (op) {
    case BinaryOp::Div:
    case BinaryOp::TanhBackward:
    case BinaryOp::SigmoidBackward:
    case BinaryOp::GeluBackward:
    case BinaryOp::GeluTanhBackward:
      return isFloatingType(t);
    case BinaryOp::Sub:
    case BinaryOp::Pow:
    case BinaryOp::ThresholdBackward:
      return t != kBool;
    default:
      return true;
  }
}

// Units of the last place: the inner operators of gradients round several times.
double allowed(BinaryOp op) { return op >= BinaryOp::TanhBackward ? 8 : 1; }

double power(double a, double b, ScalarType t) {
  if (isFloatingType(t) || b >= 0) return std::pow(a, b);
  return a == 1 || a == -1 ? std::pow(a, b) : 0;
}
double slope_of_tanh_form(double y) {
  const double u = std::sqrt(2 / M_PI) * (y + 0.044715 * y * y * y),
               du = std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * y * y);
  return 0.5 * (1 + std::tanh(u)) + 0.5 * y * (1 - std::tanh(u) * std::tanh(u)) * du;
}

double reference(BinaryOp op, ScalarType t, double a, double b, double alpha) {
  switch (op) {
    case BinaryOp::Add:
      return a + alpha * b;
    case BinaryOp::Sub:
      return a - alpha * b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return a / b;
    case BinaryOp::Eq:
      return a == b;
    case BinaryOp::Ne:
      return a != b;
    case BinaryOp::Lt:
      return a < b;
    case BinaryOp::Le:
      return a <= b;
    case BinaryOp::Gt:
      return a > b;
    case BinaryOp::Ge:
      return a >= b;
    case BinaryOp::Pow:
      return power(a, b, t);
    case BinaryOp::Maximum:
      return std::isnan(a) || std::isnan(b) ? kNaN : std::max(a, b);
    case BinaryOp::Minimum:
      return std::isnan(a) || std::isnan(b) ? kNaN : std::min(a, b);
    case BinaryOp::TanhBackward:
      return a * (1 - b * b);
    case BinaryOp::SigmoidBackward:
      return a * (1 - b) * b;
    case BinaryOp::ThresholdBackward:
      return b <= alpha ? 0 : a;
    case BinaryOp::GeluBackward:
      return a * (0.5 * std::erfc(-b / std::sqrt(2)) + b * std::exp(-b * b / 2) / std::sqrt(2 * M_PI));
    case BinaryOp::GeluTanhBackward:
      return a * slope_of_tanh_form(b);
  }
  return 0;
}

// Runs op over [rows, cols] with these strides (out, a, b) and counts elements that differ from the
// reference.
int64_t wrong(BinaryOp op, ScalarType t, int64_t rows, int64_t cols, const int64_t (&rs)[3],
              const int64_t (&cs)[3], double alpha) {
  const auto extent = [&](int k) { return rows && cols ? (rows - 1) * rs[k] + (cols - 1) * cs[k] + 1 : 0; };
  Buffer a(t, extent(1)), b(t, extent(2)), out(isComparison(op) ? kBool : t, extent(0));
  Random random(17);
  random.fill(a);
  random.fill(b);
  if (b.size() > 3 && isFloatingType(t)) {  // equal pairs, and what IEEE does with the special values
    b.set(0, a.get(0));
    b.set(1, kNaN);
    b.set(2, kInf);
    b.set(3, 0);
  }
  Dims<3> it;
  it.push(rows, rs);
  it.push(cols, cs);
  binary(op, t, out.data(), a.data(), b.data(), it, alpha);
  int64_t n = 0;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const double x = a.get(i * rs[1] + j * cs[1]), y = b.get(i * rs[2] + j * cs[2]);
      Buffer want(out.dtype(), 1, reference(op, t, x, y, alpha));
      const double scale = std::fabs(x) + std::fabs(alpha * y);  // a cancelled sum keeps its terms' rounding
      n += !near(out.dtype(), out.get(i * rs[0] + j * cs[0]), want.get(0), allowed(op),
                 std::isfinite(scale) ? scale : 0);
    }
  }
  return n;
}

}  // namespace

TEST_CASE("binary: every op, dtype, layout and size against a loop in double") {
  for_each_capability([] {
    for (BinaryOp op : kOps) {
      for (ScalarType t : kAllTypes) {
        if (!supported(op, t)) continue;
        INFO(std::string(toString(op)), " ", std::string(toString(t)));
        for (int64_t n : {0, 1, 2, 3, 15, 16, 17, 31, 64, 67}) {
          INFO("n = ", n);
          CHECK(wrong(op, t, 1, n, {n, n, n}, {1, 1, 1}, 1) == 0);  // contiguous
          CHECK(wrong(op, t, 1, n, {n, n, n}, {1, 1, 0}, 1) == 0);  // b is one number
          CHECK(wrong(op, t, 1, n, {n, n, n}, {1, 0, 1}, 1) == 0);  // a is one number
          CHECK(wrong(op, t, 1, n, {n, n, n}, {2, 3, 1}, 1) == 0);  // strided
          CHECK(wrong(op, t, 5, n, {n, n, 0}, {1, 1, 1}, 1) == 0);  // b broadcast over rows, as a bias
          CHECK(wrong(op, t, 5, n, {n, n, 1}, {1, 1, 0}, 1) == 0);  // b broadcast over columns
          CHECK(wrong(op, t, 5, n, {n, 1, n}, {1, 5, 1}, 1) == 0);  // a transposed
        }
      }
    }
  });
}

TEST_CASE("binary: alpha scales b in add and sub") {
  for_each_capability([] {
    for (ScalarType t : {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt})
      for (BinaryOp op : {BinaryOp::Add, BinaryOp::Sub})
        for (int64_t n : {1, 37}) CHECK(wrong(op, t, 1, n, {n, n, n}, {1, 1, 1}, 3) == 0);
  });
}

TEST_CASE("binary: float results are rounded once, bit for bit") {
  for_each_capability([] {
    float a[33], b[33], out[33];
    Random random(5);
    for (int i = 0; i < 33; ++i) a[i] = float(random.uniform(-1, 1)), b[i] = float(random.uniform(-1, 1));
    binary_contiguous(BinaryOp::Add, kFloat, out, a, b, 33);
    int wrong = 0;
    for (int i = 0; i < 33; ++i) wrong += out[i] != float(double(a[i]) + double(b[i]));
    binary_contiguous(BinaryOp::Div, kFloat, out, a, b, 33);
    for (int i = 0; i < 33; ++i) wrong += out[i] != float(double(a[i]) / double(b[i]));
    CHECK(wrong == 0);
  });
}

TEST_CASE("binary: int64 is exact above 2^53 and wraps at the end") {
  for_each_capability([] {
    const int64_t a[] = {(int64_t{1} << 60) + 1, std::numeric_limits<int64_t>::max()}, b[] = {2, 1};
    int64_t out[2];
    binary_contiguous(BinaryOp::Add, kLong, out, a, b, 2);
    CHECK(out[0] == (int64_t{1} << 60) + 3);
    CHECK(out[1] == std::numeric_limits<int64_t>::min());
    binary_contiguous(BinaryOp::Add, kLong, out, b, b, 1, (int64_t{1} << 60) + 1);
    CHECK(out[0] == 2 + 2 * ((int64_t{1} << 60) + 1));
  });
}

TEST_CASE("binary: in place") {
  for_each_capability([] {
    Buffer a(kFloat, 37), b(kFloat, 37);
    Random(3).fill(a);
    Random(4).fill(b);
    const Buffer before = a;
    binary_contiguous(BinaryOp::Mul, kFloat, a.data(), a.data(), b.data(), 37);
    for (int i = 0; i < 37; ++i) CHECK(a.get(i) == float(before.get(i) * b.get(i)));
  });
}

TEST_CASE("binary: what PyTorch refuses has a four-part error, and writes nothing") {
  int32_t a[] = {1}, out[] = {7};
  CHECK_THROWS_WITH_AS(binary_contiguous(BinaryOp::Div, kInt, out, a, a, 1),
                       doctest::Contains("\"div_cpu\" not implemented for 'Int'"), NotImplementedError);
  CHECK_THROWS_WITH_AS(binary_contiguous(BinaryOp::Sub, kBool, out, a, a, 1),
                       doctest::Contains("\"sub_cpu\" not implemented for 'Bool'"), NotImplementedError);
  CHECK_THROWS_AS(binary_contiguous(BinaryOp::Add, kByte, out, a, a, 1), NotImplementedError);
  CHECK(out[0] == 7);
}
