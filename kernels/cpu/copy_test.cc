#include "kernels/cpu/copy.h"

#include <bit>
#include <utility>

#include "core/error.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

TEST_CASE("copy: all 49 conversions, strides and sizes") {
  for_each_capability([] {
    for (ScalarType d : kAllTypes) {
      for (ScalarType s : kAllTypes) {
        INFO(std::string(toString(s)), " to ", std::string(toString(d)));
        for (int64_t n : {0, 1, 7, 16, 37, 64}) {
          for (const auto& [sd, ss] : {std::pair<int64_t, int64_t>{1, 1}, {2, 1}, {1, 3}, {1, 0}}) {
            Buffer src(s, n * 3 + 1), dst(d, n * 2 + 1, 9);
            Random(31).fill(src);
            Dims<2> it;
            it.push(n, {sd, ss});
            copy(d, dst.data(), s, src.data(), it);
            int wrong = 0;
            for (int64_t i = 0; i < n; ++i) {
              const Buffer want(d, 1, src.get(i * ss));
              wrong += dst.get(i * sd) != want.get(0);
            }
            CHECK(wrong == 0);
            if (n > 1 && sd == 2) CHECK(dst.get(1) == Buffer(d, 1, 9).get(0));  // the gap was not written
          }
        }
      }
    }
  });
}

TEST_CASE("copy: a transposed matrix") {
  for_each_capability([] {
    for (ScalarType t : kAllTypes) {
      Buffer src(t, 5 * 7), dst(t, 5 * 7);
      Random(37).fill(src);
      Dims<2> it;
      it.push(7, {5, 1});
      it.push(5, {1, 7});
      copy(t, dst.data(), t, src.data(), it);
      int wrong = 0;
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 5; ++j) wrong += dst.get(i * 5 + j) != src.get(j * 7 + i);
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("copy: the corners of conversion") {
  for_each_capability([] {
    const double d[] = {-1.9, 1.9, kNaN, -0.0, 0.3};
    int64_t l[2];
    copy_contiguous(kLong, l, kDouble, d, 2);
    CHECK(l[0] == -1);  // toward zero
    CHECK(l[1] == 1);
    bool b[5];
    copy_contiguous(kBool, b, kDouble, d, 5);
    CHECK(b[2]);  // NaN is not zero
    CHECK(!b[3]);
    CHECK(b[4]);
    const float f[] = {70000.f, kNaN, 1e-8f};
    Half h[3];
    copy_contiguous(kHalf, h, kFloat, f, 3);
    CHECK(h[0].x == 0x7c00);
    CHECK(std::isnan(float(h[1])));
    CHECK(h[2].x == 0);
    const int64_t big = (int64_t{1} << 60) + 1;
    int64_t same = 0;
    copy_contiguous(kLong, &same, kLong, &big, 1);
    CHECK(same == big);
  });
}

TEST_CASE("Half and BFloat16 move as registers exactly as one by one") {
  for_each_capability([] {
    std::vector<float> f(65536 + 5), from_half(f.size());
    std::vector<Half> h(f.size());
    std::vector<BFloat16> b(f.size());
    Random random(41);
    for (float& x : f) x = std::bit_cast<float>(static_cast<uint32_t>(random.next()));
    copy_contiguous(kHalf, h.data(), kFloat, f.data(), int64_t(f.size()));
    copy_contiguous(kBFloat16, b.data(), kFloat, f.data(), int64_t(f.size()));
    int wrong = 0;
    for (size_t i = 0; i < f.size(); ++i) wrong += h[i].x != Half(f[i]).x || b[i].x != BFloat16(f[i]).x;
    CHECK(wrong == 0);
    for (size_t i = 0; i < h.size(); ++i) h[i].x = uint16_t(i);
    copy_contiguous(kFloat, from_half.data(), kHalf, h.data(), int64_t(h.size()));
    for (size_t i = 0; i < h.size(); ++i)
      wrong += std::bit_cast<uint32_t>(from_half[i]) != std::bit_cast<uint32_t>(float(h[i]));
    CHECK(wrong == 0);
  });
}

TEST_CASE("fill: every dtype, with gaps left alone") {
  for_each_capability([] {
    for (ScalarType t : kAllTypes) {
      Buffer b(t, 3 * 10, 0);
      Dims<1> it;
      it.push(3, {10});
      it.push(4, {2});
      fill(t, b.data(), 2.7, it);
      const double want = Buffer(t, 1, 2.7).get(0);
      for (int i = 0; i < 30; ++i) CHECK(b.get(i) == ((i % 10) < 8 && i % 2 == 0 ? want : 0));
      fill_contiguous(t, b.data(), 1, 30);
      for (int i = 0; i < 30; ++i) CHECK(b.get(i) == 1);
    }
    int64_t l[3];
    fill_contiguous(kLong, l, (int64_t{1} << 60) + 1, 3);
    CHECK(l[2] == (int64_t{1} << 60) + 1);
    bool yes[1] = {false};
    fill_contiguous(kBool, yes, 0.5, 1);
    CHECK(yes[0]);
    fill_contiguous(kBool, yes, 0, 1);
    CHECK(!yes[0]);
  });
}

TEST_CASE("copy: a dtype without storage has a four-part error") {
  char a[8] = {}, b[8] = {};
  CHECK_THROWS_WITH_AS(copy_contiguous(kShort, a, kFloat, b, 1),
                       doctest::Contains("\"copy_cpu\" not implemented for 'Float' to 'Short'"),
                       NotImplementedError);
}
