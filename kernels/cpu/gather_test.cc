#include "kernels/cpu/gather.h"

#include "core/error.h"
#include "kernels/cpu/embedding.h"
#include "kernels/cpu/testing.h"

using namespace gb;
using namespace gb::cpu;
using namespace gb::cpu::testing;

namespace {

// index [3, 4] over dim 0 or 1 of a [5, 6] tensor.
struct Case {
  int dim;
  std::vector<int64_t> index;
  Dims<3> space(int64_t out0, int64_t out1, int64_t in0, int64_t in1) const {
    Dims<3> it;
    it.push(3, {out0, in0, 4});
    it.push(4, {out1, in1, 1});
    return it;
  }
};
Case make_case(int dim) {
  Case c{dim, std::vector<int64_t>(12)};
  Random random(73);
  for (int64_t& i : c.index) i = random.below(dim == 0 ? 5 : 6);
  return c;
}

}  // namespace

TEST_CASE("gather: both dimensions, every dtype") {
  for (int dim : {0, 1}) {
    const Case c = make_case(dim);
    for (ScalarType t : kAllTypes) {
      Buffer in(t, 30), out(t, 12);
      Random(79).fill(in);
      const auto it = c.space(4, 1, dim == 0 ? 0 : 6, dim == 1 ? 0 : 1);
      CHECK(!gather(t, out.data(), in.data(), c.index.data(), it, dim == 0 ? 5 : 6, dim == 0 ? 6 : 1));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) {
          const int64_t x = c.index[size_t(i * 4 + j)];
          CHECK(out.get(i * 4 + j) == (dim == 0 ? in.get(x * 6 + j) : in.get(i * 6 + x)));
        }
    }
  }
}

TEST_CASE("scatter_add: gather's backward, with repeated indices") {
  for (int dim : {0, 1}) {
    const Case c = make_case(dim);
    for (ScalarType t : kAllTypes) {
      Buffer self(t, 30, 1), src(t, 12);
      for (int i = 0; i < 12; ++i) src.set(i, i % 3);
      std::vector<double> want(30, 1);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) {
          const int64_t x = c.index[size_t(i * 4 + j)];
          want[size_t(dim == 0 ? x * 6 + j : i * 6 + x)] += src.get(i * 4 + j);
        }
      Dims<3> it;
      it.push(3, {dim == 0 ? 0 : 6, 4, 4});
      it.push(4, {dim == 1 ? 0 : 1, 1, 1});
      CHECK(!scatter_add(t, self.data(), src.data(), c.index.data(), it, dim == 0 ? 5 : 6, dim == 0 ? 6 : 1));
      for (int i = 0; i < 30; ++i) CHECK(self.get(i) == (t == kBool ? 1 : want[size_t(i)]));
    }
  }
}

TEST_CASE("gather and scatter_add: the first bad index is named and nothing is written") {
  for (int64_t bad : {int64_t{5}, int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    Case c = make_case(0);
    c.index[7] = bad;
    c.index[9] = 99;
    Buffer in(kFloat, 30, 1), out(kFloat, 12, 3);
    const BadIndex first = gather(kFloat, out.data(), in.data(), c.index.data(), c.space(4, 1, 0, 1), 5, 6);
    CHECK(first.position == 7);
    CHECK(first.value == bad);
    Dims<3> it;
    it.push(3, {0, 4, 4});
    it.push(4, {1, 1, 1});
    CHECK(scatter_add(kFloat, in.data(), out.data(), c.index.data(), it, 5, 6).position == 7);
    for (int i = 0; i < 12; ++i) CHECK(out.get(i) == 3);
    for (int i = 0; i < 30; ++i) CHECK(in.get(i) == 1);
  }
}

TEST_CASE("gather: one element, and none") {
  Buffer in(kDouble, 3), out(kDouble, 1);
  in.set(2, 5);
  const int64_t two = 2;
  CHECK(!gather(kDouble, out.data(), in.data(), &two, Dims<3>(), 3, 1));
  CHECK(out.get(0) == 5);
  CHECK(gather(kDouble, out.data(), in.data(), &two, Dims<3>(), 2, 1).position == 0);
  Dims<3> empty;
  empty.push(0, {1, 1, 1});
  CHECK(!gather(kDouble, nullptr, nullptr, nullptr, empty, 0, 1));
}

TEST_CASE("embedding: rows of a strided weight, and its bounds") {
  for (ScalarType t : kAllTypes) {
    Buffer weight(t, 5 * 8), out(t, 4 * 7, 0);
    Random(83).fill(weight);
    const int64_t indices[] = {4, 0, 4, 2};
    CHECK(!embedding(t, out.data(), weight.data(), 5, 7, 8, indices, 4));
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 7; ++j) CHECK(out.get(i * 7 + j) == weight.get(indices[i] * 8 + j));
    const int64_t bad[] = {4, 0, 5, -2};
    const Buffer before = out;
    const BadIndex first = embedding(t, out.data(), weight.data(), 5, 7, 8, bad, 4);
    CHECK(first.position == 2);
    CHECK(first.value == 5);
    CHECK(std::memcmp(before.data(), out.data(), 28 * elementSize(t)) == 0);
  }
}

TEST_CASE("embedding_dense_backward: repeated rows add up, the padding row stays zero, frequencies divide") {
  for_each_capability([] {
    for (ScalarType t : kFloatingTypes) {
      const int64_t n = 6, dim = 19, indices[] = {3, 1, 3, 0, 3, 1};
      Buffer grad(t, n * dim), out(t, 5 * dim, 9);
      for (int64_t i = 0; i < grad.size(); ++i) grad.set(i, double(i % 8));
      for (bool scale : {false, true}) {
        CHECK(!embedding_dense_backward(t, out.data(), grad.data(), indices, n, 5, dim, 0, scale));
        for (int64_t j = 0; j < dim; ++j) {
          const auto g = [&](int64_t i) { return grad.get(i * dim + j); };
          CHECK(out.get(0 * dim + j) == 0);  // padding_idx
          CHECK(out.get(2 * dim + j) == 0);  // never used
          CHECK(out.get(1 * dim + j) == doctest::Approx((g(1) + g(5)) / (scale ? 2 : 1)));
          CHECK(near(t, out.get(3 * dim + j), (g(0) + g(2) + g(4)) / (scale ? 3 : 1), 3));
        }
      }
      const int64_t bad[] = {3, 1, 5, 0, 3, 1};
      CHECK(embedding_dense_backward(t, out.data(), grad.data(), bad, n, 5, dim, -1, false).position == 2);
      CHECK(out.get(3 * dim + 1) != 0);  // not cleared
    }
  });
  int64_t i = 0;
  CHECK_THROWS_WITH_AS(embedding_dense_backward(kLong, &i, &i, &i, 1, 1, 1, -1, false),
                       doctest::Contains("\"embedding_dense_backward_cpu\" not implemented for 'Long'"),
                       NotImplementedError);
}
