#include "kernels/cpu/reduce.h"

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

// in [A, B, C] contiguous; mask bit d set: dimension d is reduced. Returns elements that differ from a loop
// in double.
int64_t wrong(ReduceOp op, ScalarType t, const int64_t (&size)[3], int mask, double special = 0) {
  const int64_t in_stride[3] = {size[1] * size[2], size[2], 1};
  int64_t out_stride[3], out_n = 1, count = 1;
  for (int d = 2; d >= 0; --d) {
    out_stride[d] = mask >> d & 1 ? 0 : out_n;
    (mask >> d & 1 ? count : out_n) *= size[d];
  }
  const ScalarType out_t = op == ReduceOp::Sum && !isFloatingType(t) ? kLong : t;
  Buffer in(t, size[0] * size[1] * size[2]), out(out_t, out_n);
  Random(43).fill(in);
  if (special != 0 && in.size() > 0) in.set(in.size() / 2, special);
  Dims<2> kept;
  Dims<1> reduced;
  for (int d = 0; d < 3; ++d) {
    if (mask >> d & 1)
      reduced.push(size[d], {in_stride[d]});
    else
      kept.push(size[d], {out_stride[d], in_stride[d]});
  }
  reduce(op, out_t, out.data(), t, in.data(), kept, reduced);
  std::vector<double> want(size_t(out_n), op == ReduceOp::AMax ? -kInf : op == ReduceOp::AMin ? kInf : 0), scale(size_t(out_n), 0);
  for (int64_t a = 0; a < size[0]; ++a)
    for (int64_t b = 0; b < size[1]; ++b)
      for (int64_t c = 0; c < size[2]; ++c) {
        const size_t o = size_t(a * out_stride[0] + b * out_stride[1] + c * out_stride[2]);
        const double x = in.get(a * in_stride[0] + b * in_stride[1] + c);
        if (op == ReduceOp::AMax)
          want[o] = std::isnan(want[o]) || x < want[o] ? want[o] : x;
        else if (op == ReduceOp::AMin)
          want[o] = std::isnan(want[o]) || x > want[o] ? want[o] : x;
        else
          want[o] += x, scale[o] += std::fabs(x);
      }
  int64_t n = 0;
  for (int64_t i = 0; i < out_n; ++i) {
    const double divisor = op == ReduceOp::Mean ? double(count) : 1;
    const Buffer rounded(out_t, 1, want[size_t(i)] / divisor);
    // Float accumulators may be off by their own epsilon relative to the sum of magnitudes.
    const double slack = t == kFloat || t == kDouble ? scale[size_t(i)] / divisor : 0;
    n += !near(out_t, out.get(i), rounded.get(0), 2, slack);
  }
  return n;
}

}  // namespace

TEST_CASE("reduce: every op, dtype and set of dimensions") {
  for_each_capability([] {
    for (ReduceOp op : {ReduceOp::Sum, ReduceOp::Mean, ReduceOp::AMax, ReduceOp::AMin}) {
      for (ScalarType t : kAllTypes) {
        if (op == ReduceOp::Mean && !isFloatingType(t)) continue;
        INFO(std::string(toString(op)), " ", std::string(toString(t)));
        for (int mask = 0; mask < 8; ++mask) {
          INFO("mask ", mask);
          CHECK(wrong(op, t, {1, 1, 1}, mask) == 0);
          CHECK(wrong(op, t, {3, 5, 7}, mask) == 0);
          CHECK(wrong(op, t, {2, 130, 67}, mask) == 0);
          CHECK(wrong(op, t, {2, 3, 300}, mask) == 0);
          CHECK(wrong(op, t, {1, 70, 1}, mask) == 0);
          if (isFloatingType(t)) {
            CHECK(wrong(op, t, {3, 5, 37}, mask, kNaN) == 0);
            CHECK(wrong(op, t, {3, 5, 37}, mask, kInf) == 0);
          }
        }
      }
    }
  });
}

TEST_CASE("reduce: nothing to reduce") {
  for_each_capability([] {
    for (ScalarType t : kFloatingTypes) {
      Buffer out(t, 4, 9);
      Dims<2> kept;
      kept.push(4, {1, 0});
      Dims<1> none;
      none.push(0, {1});
      reduce(ReduceOp::Sum, t, out.data(), t, nullptr, kept, none);
      CHECK(out.get(3) == 0);
      reduce(ReduceOp::Mean, t, out.data(), t, nullptr, kept, none);
      CHECK(std::isnan(out.get(3)));
      CHECK_THROWS_WITH_AS(reduce(ReduceOp::AMax, t, out.data(), t, nullptr, kept, none),
                           doctest::Contains("the operation has no identity"), ValueError);
      Dims<2> no_outputs;
      no_outputs.push(0, {1, 1});
      reduce(ReduceOp::AMax, t, nullptr, t, nullptr, no_outputs, none);  // no output asks for a maximum
    }
  });
}

TEST_CASE("reduce: float sums are pairwise, so a million small numbers do not drift") {
  for_each_capability([] {
    const int64_t n = 1 << 20, one = 1;
    std::vector<float> in(size_t(n) * 2, 0.1f);
    float out = 0;
    const int64_t two = 2;
    for (const int64_t* stride : {&one, &two}) {
      reduce(ReduceOp::Sum, kFloat, &out, kFloat, in.data(), Strided<2>{0, nullptr, {}},
             Strided<1>{1, &n, {stride}});
      CHECK(std::fabs(out - double(n) * 0.1f) / (double(n) * 0.1f) < 4e-7);  // one float accumulator: 1e-2
    }
    // Down: 100000 rows of 3 columns.
    const int64_t rows = 100000, three = 3, sizes[1] = {3};
    float columns[3];
    reduce(ReduceOp::Sum, kFloat, columns, kFloat, in.data(), Strided<2>{1, sizes, {&one, &one}},
           Strided<1>{1, &rows, {&three}});
    for (float c : columns) CHECK(std::fabs(c - 1e5 * 0.1f) / 1e4 < 4e-7);
  });
}

TEST_CASE("reduce: NaN wins in amax and amin wherever it stands") {
  for_each_capability([] {
    for (int64_t n : {1, 5, 16, 64, 100, 5000}) {
      for (int64_t at : {int64_t{0}, n / 2, n - 1}) {
        Buffer in(kFloat, n, 1), out(kFloat, 1);
        in.set(at, kNaN);
        const int64_t one = 1;
        for (ReduceOp op : {ReduceOp::AMax, ReduceOp::AMin}) {
          reduce(op, kFloat, out.data(), kFloat, in.data(), Strided<2>{0, nullptr, {}}, Strided<1>{1, &n, {&one}});
          CHECK(std::isnan(out.get(0)));
        }
      }
    }
  });
}

TEST_CASE("reduce: integer extremes") {
  for_each_capability([] {
    const int64_t low[] = {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::min()};
    int64_t out = 0;
    const int64_t two = 2, one = 1;
    const Strided<2> single{0, nullptr, {}};
    reduce(ReduceOp::AMax, kLong, &out, kLong, low, single, Strided<1>{1, &two, {&one}});
    CHECK(out == low[0]);
    const int64_t high[] = {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::max()};
    reduce(ReduceOp::AMin, kLong, &out, kLong, high, single, Strided<1>{1, &two, {&one}});
    CHECK(out == high[0]);
    const int32_t big[] = {std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::max()};
    reduce(ReduceOp::Sum, kLong, &out, kInt, big, single, Strided<1>{1, &two, {&one}});
    CHECK(out == 2 * int64_t{std::numeric_limits<int32_t>::max()});  // gathered in int64
  });
}

TEST_CASE("reduce: any and all of every dtype; NaN is true") {
  for_each_capability([] {
    for (ScalarType t : kAllTypes) {
      INFO(std::string(toString(t)));
      Buffer in(t, 5, 0);
      const int64_t five = 5, one = 1;
      const auto ask = [&](ReduceOp op) {
        bool out = false;
        reduce(op, kBool, &out, t, in.data(), Strided<2>{0, nullptr, {}}, Strided<1>{1, &five, {&one}});
        return out;
      };
      CHECK((!ask(ReduceOp::Any) && !ask(ReduceOp::All)));
      in.set(3, isFloatingType(t) ? kNaN : 1);
      CHECK((ask(ReduceOp::Any) && !ask(ReduceOp::All)));
      for (int64_t i = 0; i < 5; ++i) in.set(i, 1);
      CHECK((ask(ReduceOp::Any) && ask(ReduceOp::All)));
    }
    bool out[2] = {true, false};
    Dims<2> kept;
    kept.push(1, {1, 0});
    Dims<1> none;
    none.push(0, {1});
    reduce(ReduceOp::Any, kBool, &out[0], kFloat, nullptr, kept, none);
    reduce(ReduceOp::All, kBool, &out[1], kFloat, nullptr, kept, none);
    CHECK((!out[0] && out[1]));
  });
}

TEST_CASE("reduce: combinations without a kernel have a four-part error") {
  int64_t a = 1, out = 7;
  CHECK_THROWS_WITH_AS(
      reduce(ReduceOp::Mean, kLong, &out, kLong, &a, Strided<2>{0, nullptr, {}}, Strided<1>{0, nullptr, {}}),
      doctest::Contains("\"mean_cpu\" not implemented for 'Long' to 'Long'"), NotImplementedError);
  CHECK(out == 7);
}

TEST_CASE("reduce: prod, along rows and down columns") {
  for_each_capability([] {
    for (ScalarType t : kAllTypes) {
      INFO(std::string(toString(t)));
      const ScalarType out_t = isFloatingType(t) ? t : kLong;
      for (const int64_t n : {0, 1, 7, 70, 300}) {
        INFO("factors ", n);
        Buffer in(t, 2 * n), out(out_t, 2);
        for (int64_t i = 0; i < 2 * n; ++i) in.set(i, t == kBool ? i != 13 : i % 60 == 3 ? 2 : i % 7 == 5 ? -1 : 1);
        for (const bool rows : {true, false}) {
          Dims<2> kept;
          Dims<1> reduced;
          kept.push(2, {1, rows ? n : 1});
          reduced.push(n, {rows ? 1 : 2});
          reduce(ReduceOp::Prod, out_t, out.data(), t, in.data(), kept, reduced);
          for (int64_t o = 0; o < 2; ++o) {
            double want = 1;
            for (int64_t i = 0; i < n; ++i) want *= in.get(rows ? o * n + i : 2 * i + o);
            CHECK(out.get(o) == want);
          }
        }
      }
    }
  });
}
