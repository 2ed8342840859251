#include "kernels/cpu/gemm.h"

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

constexpr ScalarType kTypes[] = {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt};

// row- or column-major with `pad` elements between rows (columns)
struct Strides {
  int64_t row, col, extent;
};
Strides strides(bool transposed, int64_t rows, int64_t cols, int64_t pad) {
  return transposed ? Strides{1, rows + pad, cols * (rows + pad)}
                    : Strides{cols + pad, 1, rows * (cols + pad)};
}

// Elements of C that differ from three loops in double. layout: bits 0, 1, 2 = A, B, C column-major.
int64_t wrong(ScalarType t, int64_t m, int64_t n, int64_t k, int layout, int64_t pad, double alpha,
              double beta) {
  const Strides sa = strides(layout & 1, m, k, pad), sb = strides(layout & 2, k, n, pad),
                sc = strides(layout & 4, m, n, pad);
  Buffer a(t, sa.extent), b(t, sb.extent), c(t, sc.extent, beta == 0 ? kNaN : 0);
  Random(61).fill(a);
  Random(67).fill(b);
  if (beta != 0) Random(71).fill(c);
  const Buffer before = c;
  gemm(t, m, n, k, alpha, {a.data(), sa.row, sa.col}, {b.data(), sb.row, sb.col}, beta,
       {c.data(), sc.row, sc.col});
  int64_t n_wrong = 0;
  std::vector<bool> inside(size_t(c.size()));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double want = beta == 0 ? 0 : beta * before.get(i * sc.row + j * sc.col), scale = std::fabs(want);
      for (int64_t p = 0; p < k; ++p) {
        const double x = alpha * a.get(i * sa.row + p * sa.col) * b.get(p * sb.row + j * sb.col);
        want += x;
        scale += std::fabs(x);
      }
      const Buffer rounded(t, 1, want);
      const bool half = t == kHalf || t == kBFloat16;
      n_wrong += !near(t, c.get(i * sc.row + j * sc.col), rounded.get(0), half ? 1 : 4,
                       half ? scale * 0x1p-6 : scale);
      inside[size_t(i * sc.row + j * sc.col)] = true;
    }
  }
  for (int64_t i = 0; i < c.size(); ++i)  // the padding between rows was not touched
    if (!inside[size_t(i)]) n_wrong += !near(t, c.get(i), before.get(i), 0);
  return n_wrong;
}

}  // namespace

TEST_CASE("gemm: every dtype, layout and shape, with and without C") {
  const int64_t shapes[][3] = {{1, 1, 1}, {2, 3, 4},   {1, 5, 7},   {5, 1, 7},
                               {5, 7, 1}, {2, 60, 64}, {17, 33, 9}, {67, 35, 70}};
  for_each_capability([&] {
    for (ScalarType t : kTypes) {
      for (const auto& s : shapes) {
        for (int layout = 0; layout < 8; ++layout) {
          INFO(std::string(toString(t)), " ", s[0], " x ", s[1], " x ", s[2], " layout ", layout);
          CHECK(wrong(t, s[0], s[1], s[2], layout, 0, 1, 0) == 0);
          CHECK(wrong(t, s[0], s[1], s[2], layout, 3, 1, 1) == 0);
          CHECK(wrong(t, s[0], s[1], s[2], layout, 1, 2, 3) == 0);
        }
      }
    }
  });
}

TEST_CASE("gemm: larger than Eigen's blocks, and more rows than a half block") {
  for_each_capability([] {
    CHECK(wrong(kFloat, 300, 257, 515, 0, 0, 1, 0) == 0);
    CHECK(wrong(kDouble, 130, 129, 515, 3, 0, 1, 1) == 0);
    CHECK(wrong(kHalf, 300, 20, 30, 0, 0, 1, 1) == 0);
    CHECK(wrong(kBFloat16, 300, 20, 30, 4, 2, 1, 0) == 0);
  });
}

TEST_CASE("gemm: k == 0 gives beta * C, and empty C is nothing") {
  for_each_capability([] {
    for (ScalarType t : kTypes) {
      CHECK(wrong(t, 3, 4, 0, 0, 0, 1, 2) == 0);
      CHECK(wrong(t, 3, 4, 0, 0, 0, 1, 0) == 0);  // C was NaN and is 0 now
      CHECK(wrong(t, 0, 4, 5, 0, 0, 1, 1) == 0);
      CHECK(wrong(t, 4, 0, 5, 0, 0, 1, 1) == 0);
    }
  });
}

TEST_CASE("gemm: NaN in A or B reaches C even against zeros") {
  for_each_capability([] {
    const float a[] = {NAN, 0, 0, 0}, b[] = {0, 0, 0, 0};
    float c[4];
    gemm(kFloat, 2, 2, 2, 1, {a, 2, 1}, {b, 2, 1}, 0, {c, 2, 1});
    CHECK(std::isnan(c[0]));
    CHECK(std::isnan(c[1]));
    CHECK(c[2] == 0);
  });
}

TEST_CASE("gemm: int64 is exact and wraps") {
  for_each_capability([] {
    const int64_t a[] = {(int64_t{1} << 60) + 1}, b[] = {3};
    int64_t c[] = {5};
    gemm(kLong, 1, 1, 1, 1, {a, 1, 1}, {b, 1, 1}, 1, {c, 1, 1});
    CHECK(c[0] == 3 * ((int64_t{1} << 60) + 1) + 5);
  });
}

TEST_CASE("gemm: wrong input has a four-part error, and C is unchanged") {
  float a[16] = {}, c[4] = {7, 7, 7, 7};
  CHECK_THROWS_WITH_AS(gemm(kFloat, 2, 2, 2, 1, {a, 4, 2}, {a, 2, 1}, 0, {c, 2, 1}),
                       doctest::Contains("matrix A is not a row-major or column-major view"), ValueError);
  CHECK_THROWS_WITH_AS(gemm(kFloat, 2, 2, 2, 1, {a, 2, 1}, {a, 0, 1}, 0, {c, 2, 1}),
                       doctest::Contains("it is 2 x 2 with strides {0, 1}"), ValueError);
  CHECK_THROWS_WITH_AS(gemm(kBool, 2, 2, 2, 1, {a, 2, 1}, {a, 2, 1}, 0, {c, 2, 1}),
                       doctest::Contains("\"gemm_cpu\" not implemented for 'Bool'"), NotImplementedError);
  CHECK(c[0] == 7);
}
