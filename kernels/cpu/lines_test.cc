#include "kernels/cpu/lines.h"

#include "kernels/cpu/arg_reduce.h"
#include "kernels/cpu/cumsum.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

int64_t find(Extremum which, const Buffer& in, ScalarType t) {
  int64_t at = -1;
  arg_reduce(which, t, nullptr, &at, in.data(), in.size(), 1, Strided<2>{0, nullptr, {}});
  return at;
}

}  // namespace

TEST_CASE("arg_reduce: the first of equal elements, of every dtype") {
  for (ScalarType t : kAllTypes) {
    INFO(std::string(toString(t)));
    Buffer in(t, 5, 0);
    in.set(2, 1), in.set(4, 1);
    CHECK(find(Extremum::Max, in, t) == 2);
    CHECK(find(Extremum::Min, in, t) == 0);
    if (!isFloatingType(t)) continue;
    in.set(3, kNaN), in.set(4, kNaN);
    CHECK(find(Extremum::Max, in, t) == 3);
    CHECK(find(Extremum::Min, in, t) == 3);
  }
}

TEST_CASE("arg_reduce: lines down the columns of a [2, 3] matrix, with values") {
  const float in[6] = {1, 5, 2, 4, 3, 9};
  float values[3];
  int64_t at[3];
  Dims<2> columns;
  columns.push(3, {1, 1});
  arg_reduce(Extremum::Max, kFloat, values, at, in, 2, 3, columns);
  CHECK((values[0] == 4 && values[1] == 5 && values[2] == 9));
  CHECK((at[0] == 1 && at[1] == 0 && at[2] == 1));
}

TEST_CASE("cumsum: along rows and columns; integers wrap; no element, no sum") {
  const double in[6] = {1, 2, 3, 4, 5, 6};
  double out[6];
  Dims<2> rows, columns;
  rows.push(2, {3, 3});
  columns.push(3, {1, 1});
  cumsum(kDouble, out, in, 3, 1, 1, rows);
  CHECK((out[2] == 6 && out[3] == 4 && out[5] == 15));
  cumsum(kDouble, out, in, 2, 3, 3, columns);
  CHECK((out[0] == 1 && out[3] == 5 && out[5] == 9));
  const int64_t most[2] = {std::numeric_limits<int64_t>::max(), 1};
  int64_t sums[2];
  cumsum(kLong, sums, most, 2, 1, 1, Strided<2>{0, nullptr, {}});
  CHECK(sums[1] == std::numeric_limits<int64_t>::min());
  cumsum(kLong, sums, most, 0, 1, 1, Strided<2>{0, nullptr, {}});
  CHECK(sums[1] == std::numeric_limits<int64_t>::min());
}

TEST_CASE("cumsum: a million tenths in float do not drift") {
  const int64_t n = 1 << 20;
  std::vector<float> in(size_t(n), 0.1f), out(size_t(n), 0);
  cumsum(kFloat, out.data(), in.data(), n, 1, 1, Strided<2>{0, nullptr, {}});
  CHECK(std::fabs(out.back() - double(n) * 0.1f) / (double(n) * 0.1f) < 1e-7);
}
