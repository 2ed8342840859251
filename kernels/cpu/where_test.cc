#include "kernels/cpu/where.h"

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

// Elements that are not `c ? a : b`, over rows x cols with the given strides of out, c, a, b.
int64_t wrong(ScalarType t, int64_t rows, int64_t cols, const int64_t (&rs)[4], const int64_t (&cs)[4]) {
  const auto extent = [&](int k) { return rows && cols ? (rows - 1) * rs[k] + (cols - 1) * cs[k] + 1 : 0; };
  Buffer out(t, extent(0)), c(kBool, extent(1)), a(t, extent(2)), b(t, extent(3));
  Random random(5);
  for (int64_t i = 0; i < c.size(); ++i) c.set(i, static_cast<double>(random.below(2)));
  random.fill(a, 1, 50);
  random.fill(b, -50, -1);
  Dims<4> it;
  it.push(rows, rs);
  it.push(cols, cs);
  where(t, out.data(), static_cast<const bool*>(c.data()), a.data(), b.data(), it);
  int64_t n = 0;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const auto at = [&](int k) { return i * rs[k] + j * cs[k]; };
      n += out.get(at(0)) != (c.get(at(1)) != 0 ? a.get(at(2)) : b.get(at(3)));
    }
  }
  return n;
}

}  // namespace

TEST_CASE("where: every dtype, layout and size") {
  for_each_capability([] {
    for (ScalarType t : kAllTypes) {
      INFO(std::string(toString(t)));
      for (int64_t n : {0, 1, 3, 31, 67}) {
        INFO("n = ", n);
        CHECK(wrong(t, 1, n, {n, n, n, n}, {1, 1, 1, 1}) == 0);
        CHECK(wrong(t, 1, n, {n, n, n, n}, {2, 3, 1, 2}) == 0);
        CHECK(wrong(t, 5, n, {n, n, 0, n}, {1, 1, 0, 1}) == 0);  // a is one number
        CHECK(wrong(t, 5, n, {n, n, n, 0}, {1, 1, 1, 0}) == 0);  // b is one number
        CHECK(wrong(t, 5, n, {n, 0, 1, 1}, {1, 1, 5, 5}) == 0);  // one row of conditions; a, b transposed
      }
    }
  });
}

TEST_CASE("where: bits move, NaN and all") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  float a[3] = {nan, 1, -0.0f}, b[3] = {2, nan, 3};
  const bool c[3] = {true, true, false};
  const int64_t n = 3, one = 1;
  where(kFloat, a, c, a, b, Strided<4>{1, &n, {&one, &one, &one, &one}});  // in place
  CHECK(std::isnan(a[0]));
  CHECK(a[1] == 1);
  CHECK(a[2] == 3);
  CHECK_THROWS_AS(where(ScalarType::Undefined, a, c, a, b, Strided<4>{1, &n, {&one, &one, &one, &one}}),
                  NotImplementedError);
}
