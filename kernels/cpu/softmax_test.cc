#include "kernels/cpu/softmax.h"

#include <array>

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

// Both directions over [outer, dim, inner] against loops in double; returns elements that differ.
int64_t wrong_forward(ScalarType t, int64_t outer, int64_t dim, int64_t inner, bool in_place = false) {
  Buffer in(t, outer * dim * inner), out(t, outer * dim * inner);
  Random(47).fill(in, -20, 20);
  const Buffer x = in;
  Buffer& y = in_place ? in : out;
  softmax(t, y.data(), in.data(), outer, dim, inner);
  int64_t n = 0;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t k = 0; k < inner; ++k) {
      const auto at = [&](int64_t d) { return (o * dim + d) * inner + k; };
      long double max = -kInf, sum = 0;  // long: the reference for double must be better than double
      for (int64_t d = 0; d < dim; ++d) max = std::max<long double>(max, x.get(at(d)));
      for (int64_t d = 0; d < dim; ++d) sum += std::exp(x.get(at(d)) - max);
      for (int64_t d = 0; d < dim; ++d) {
        const double want = double(std::exp(x.get(at(d)) - max) / sum);
        // Rounding x - max to the compute type costs |x - max| units in relative terms, whatever exp does
        // after.
        const bool half = t == kHalf || t == kBFloat16;
        const double ulps = half ? 1 : 4 + double(max - x.get(at(d)));
        n += !near(t, y.get(at(d)), want, ulps, t == kHalf ? 0x1p-14 : 0);
      }
    }
  }
  return n;
}

int64_t wrong_backward(ScalarType t, int64_t outer, int64_t dim, int64_t inner) {
  const int64_t size = outer * dim * inner;
  Buffer y(t, size), grad(t, size), out(t, size);
  Random(53).fill(y, 0, 1);
  Random(59).fill(grad);
  softmax_backward(t, out.data(), grad.data(), y.data(), outer, dim, inner);
  int64_t n = 0;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t k = 0; k < inner; ++k) {
      const auto at = [&](int64_t d) { return (o * dim + d) * inner + k; };
      double dot = 0, magnitude = 0;
      for (int64_t d = 0; d < dim; ++d) {
        dot += grad.get(at(d)) * y.get(at(d));
        magnitude += std::fabs(grad.get(at(d)) * y.get(at(d)));
      }
      for (int64_t d = 0; d < dim; ++d) {
        const double want = y.get(at(d)) * (grad.get(at(d)) - dot);
        n += !near(t, out.get(at(d)), want, 2,
                   t == kFloat || t == kDouble ? magnitude + 4 : magnitude * 0x1p-12 + 0x1p-10);
      }
    }
  }
  return n;
}

}  // namespace

TEST_CASE("softmax: forward and backward, every floating dtype, layout and size") {
  for_each_capability([] {
    for (ScalarType t : kFloatingTypes) {
      INFO(std::string(toString(t)));
      for (int64_t dim : {1, 2, 7, 16, 33, 64, 600}) {
        INFO("dim = ", dim);
        CHECK(wrong_forward(t, 3, dim, 1) == 0);
        CHECK(wrong_forward(t, 3, dim, 1, true) == 0);  // in place
        CHECK(wrong_backward(t, 3, dim, 1) == 0);
        for (int64_t inner : {2, 5, 16, 37}) {
          INFO("inner = ", inner);
          CHECK(wrong_forward(t, 2, dim, inner) == 0);
          CHECK(wrong_forward(t, 2, dim, inner, true) == 0);
          CHECK(wrong_backward(t, 2, dim, inner) == 0);
        }
      }
    }
  });
}

TEST_CASE("softmax: zero sizes write nothing") {
  for_each_capability([] {
    for (ScalarType t : kFloatingTypes) {
      for (const auto& s : {std::array<int64_t, 3>{0, 5, 1}, {2, 0, 1}, {2, 5, 0}, {2, 0, 7}, {0, 0, 0}}) {
        softmax(t, nullptr, nullptr, s[0], s[1], s[2]);
        softmax_backward(t, nullptr, nullptr, nullptr, s[0], s[1], s[2]);
      }
    }
  });
}

TEST_CASE("softmax: a NaN, a +inf or nothing but -inf makes the whole row NaN, and only that row") {
  for_each_capability([] {
    for (ScalarType t : kFloatingTypes) {
      for (int64_t inner : {1, 3}) {
        for (int64_t dim : {1, 5, 16, 37, 130}) {
          for (double special : {kNaN, kInf, -kInf}) {
            for (int64_t where : {int64_t{0}, dim / 2, dim - 1}) {
              Buffer in(t, 2 * dim * inner, 0.5), out(t, 2 * dim * inner);
              const auto at = [&](int64_t o, int64_t d) { return (o * dim + d) * inner; };
              in.set(at(1, where), special);
              if (special == -kInf)
                for (int64_t d = 0; d < dim; ++d) in.set(at(1, d), special);
              softmax(t, out.data(), in.data(), 2, dim, inner);
              bool all = true;
              for (int64_t d = 0; d < dim; ++d)
                all &= std::isnan(out.get(at(1, d))) && !std::isnan(out.get(at(0, d)));
              CHECK(all);
              if (inner > 1) CHECK(!std::isnan(out.get(at(1, 0) + 1)));  // the neighbouring column
            }
          }
        }
      }
    }
  });
}

TEST_CASE("softmax: one -inf among numbers is a probability of 0; large inputs do not overflow") {
  for_each_capability([] {
    const float in[] = {1000.f, -INFINITY, 1000.f};
    float out[3];
    softmax(kFloat, out, in, 1, 3, 1);
    CHECK(out[0] == 0.5f);
    CHECK(out[1] == 0.f);
    CHECK(out[2] == 0.5f);
  });
}

TEST_CASE("softmax: integers have no kernel") {
  int64_t a = 1, out = 7;
  CHECK_THROWS_WITH_AS(softmax(kLong, &out, &a, 1, 1, 1),
                       doctest::Contains("\"softmax_cpu\" not implemented for 'Long'"), NotImplementedError);
  CHECK_THROWS_AS(softmax_backward(kBool, &out, &a, &a, 1, 1, 1), NotImplementedError);
  CHECK(out == 7);
}
