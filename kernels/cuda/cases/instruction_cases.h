// What Hopper's instructions do (kernels/cuda/instructions): the same on the host, where it is written in C++, and
// on the GPU, which does it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/hopper_checks/hopper_checks.h"

namespace gb::cuda::cases {

// A box of a [z, y, x] tensor of 5 x 20 x `width` elements; out: the element number + 1 that each place of the box has.
inline void box_matches(Machine& machine, ScalarType dtype, Swizzle swizzle, std::array<int, 3> box,
                        std::array<int, 3> first, bool three, int width) {
  INFO("box of " << std::string(toString(dtype)) << " of rows of " << width << " at " << first[0] << " " << first[1] << " " << first[2]
                 << " swizzle " << static_cast<int>(swizzle));
  const std::array<int, 3> sizes = {width, 20, three ? 5 : 1};
  const int size = static_cast<int>(elementSize(dtype)), stride = 104;
  const int written = 16 / size * ((sizes[0] * size + 15) / 16);  // of a row, by a store
  const auto at = [&](int x, int y, int z) { return static_cast<size_t>(x + stride * (y + 20 * z)); };
  Values tensor(static_cast<size_t>(stride * 20 * sizes[2]), -1);
  for (int z = 0; z < sizes[2]; ++z)
    for (int y = 0; y < sizes[1]; ++y)
      for (int x = 0; x < sizes[0]; ++x) tensor[at(x, y, z)] = (x + 7 * y + 31 * z) % 251;  // exact in bfloat16
  const auto count = static_cast<size_t>(box[0] * box[1] * box[2]);
  Values want(count, -2), stored(tensor.size(), -3);
  for (int z = 0; z < box[2]; ++z)
    for (int y = 0; y < box[1]; ++y)
      for (int x = 0; x < box[0]; ++x) {
        const auto linear = static_cast<uint32_t>(((z * box[1] + y) * box[0] + x) * size);
        const std::array<int, 3> p = {first[0] + x, first[1] + y, first[2] + z};
        const bool inside =
            std::ranges::all_of(std::array{0, 1, 2}, [&](int i) { return p[i] >= 0 && p[i] < sizes[i]; });
        const double element = inside ? tensor[at(p[0], p[1], p[2])] : 0;
        want[swizzled(linear, swizzle) / static_cast<uint32_t>(size)] = element;
        if (inside || (p[0] >= sizes[0] && p[0] < written && p[1] < sizes[1] && p[2] < sizes[2]))
          stored[at(p[0], p[1], p[2])] = element;
      }
  Array in(machine, dtype, tensor), out(machine, dtype, Values(count, -2)),
      back(machine, dtype, Values(tensor.size(), -3));
  hopper_checks::BoxCopy copy = {dtype,
                                 false,
                                 swizzle,
                                 in.data(),
                                 {sizes[0], sizes[1], sizes[2]},
                                 {stride, stride * 20},
                                 {box[0], box[1], box[2]},
                                 {first[0], first[1], first[2]},
                                 out.data()};
  hopper_checks::load_box(copy);
  CHECK(out.values() == want);
  if (*std::ranges::min_element(first) < 0) return;  // may not be stored
  copy.out = back.data();
  hopper_checks::store_box(copy, out.data());
  CHECK(back.values() == stored);
}

inline void box_cases(Machine& machine) {
  for (bool three : {false, true}) {
    const int deep = three ? 2 : 1, z = three ? 3 : 0;
    for (std::array<int, 3> first :
         {std::array<int, 3>{0, 0, 0}, {32, 3, z}, {64, 15, z ? 4 : 0}, {-8, -2, 0}, {96, 0, 0}})
      for (int width : {96, 91}) {
        box_matches(machine, kBFloat16, Swizzle::Bytes128, {64, 16, deep}, first, three, width);
        box_matches(machine, kHalf, Swizzle::Bytes64, {32, 16, deep}, first, three, width);
        box_matches(machine, kFloat, Swizzle::Bytes32, {8, 16, deep}, first, three, width);
        box_matches(machine, kFloat, Swizzle::Bytes128, {32, 8, deep}, first, three, width);
        box_matches(machine, kBFloat16, Swizzle::None, {24, 5, deep}, first, three, width);
      }
  }
  // A load can round to TF32, to nearest even: 1 + 2^-11 is a tie, 1 + 3 * 2^-11 one, 1 + 2^-11 + 2^-20 none.
  const double e = std::ldexp(1, -11);
  Array in(machine, kFloat,
           {1, 1 + e, 1 + 3 * e, 1 + e + std::ldexp(1, -20), -1 - e, INFINITY, -INFINITY, 1 + 2 * e});
  Array out(machine, kFloat, Values(8));
  hopper_checks::load_box(
      {kFloat, true, Swizzle::Bytes32, in.data(), {8, 1, 1}, {8, 8}, {8, 1, 1}, {0, 0, 0}, out.data()});
  CHECK(out.values() == Values{1, 1, 1 + 4 * e, 1 + 2 * e, -1, INFINITY, -INFINITY, 1 + 2 * e});

  const Values bytes = random_values(4096, 1);
  Array run(machine, kFloat, bytes), copy(machine, kFloat, Values(4096));
  hopper_checks::bulk_copy(copy.data(), run.data(), 4096 * 4);
  CHECK(copy.values() == rounded(kFloat, bytes));
}

inline void multiply_matches(Machine& machine, ScalarType dtype, int n, bool a_mn, bool b_mn, bool a_in_registers) {
  INFO("wgmma of " << std::string(toString(dtype)) << " n=" << n << " a_mn " << a_mn << " b_mn " << b_mn
                   << " registers " << a_in_registers);
  const int k = dtype == kFloat ? 32 : 64;
  const auto size = [](int x) { return static_cast<size_t>(x); };
  // Eighths: exact in every dtype, TF32 too; so are all the sums.
  const auto eighths = [](size_t count, unsigned seed) {
    Values values = random_values(count, seed, -15, 15);
    for (double& v : values) v = std::round(v) / 8;
    return values;
  };
  const Values va = eighths(size(64 * k), 1), vb = eighths(size(n * k), 2), vd = eighths(size(64 * n), 3);
  Array a(machine, dtype, va), b(machine, dtype, vb), d(machine, kFloat, vd);
  hopper_checks::multiply(
      {dtype, a_mn, b_mn, a_in_registers, n, a.data(), b.data(), static_cast<float*>(d.data())});
  Values want = vd;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < n; ++j)
      for (int p = 0; p < k; ++p)
        want[size(i * n + j)] += va[size(a_mn ? p * 64 + i : i * k + p)] * vb[size(b_mn ? p * n + j : j * k + p)];
  CHECK(d.values() == want);
}

inline void stmatrix_matches(Machine& machine) {
  Values words(32 * 8);  // elements: numbers that bfloat16 holds
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<double>(i);
  Array in(machine, kBFloat16, words), out(machine, kBFloat16, Values(words.size(), -1));
  hopper_checks::store_pieces(out.data(), in.data());
  Values want;
  for (size_t q = 0; q < 4; ++q)
    for (size_t r = 0; r < 8; ++r)
      for (size_t g = 0; g < 8; ++g) want.push_back(words[((g * 4 + r / 2) * 4 + q) * 2 + r % 2]);
  CHECK(out.values() == want);
}

inline void wgmma_cases(Machine& machine) {
  stmatrix_matches(machine);
  for (ScalarType dtype : {kFloat, kHalf, kBFloat16})
    for (int n : {64, 200, 256})
      for (bool a_mn : {false, true})
        for (bool b_mn : {false, true})
          for (bool registers : {false, true})
            if (!(a_mn && registers) && (dtype != kFloat || (!a_mn && !b_mn)))
              multiply_matches(machine, dtype, n, a_mn, b_mn, registers);
}

inline void barrier_cases(Machine& machine) {
  for (int pieces : {1, 2, 3, 9}) {
    const auto n = static_cast<size_t>(pieces) * 256;
    const Values in = rounded(kFloat, random_values(n, 1));
    Values want = in;
    for (double& v : want) v *= 2;
    Array x(machine, kFloat, in), y(machine, kFloat, Values(n));
    hopper_checks::ring(static_cast<float*>(y.data()), static_cast<const float*>(x.data()), pieces);
    CHECK(y.values() == want);
  }
  const Values in = rounded(kFloat, random_values(64, 1));
  Values want;
  for (int r : {1, 0})
    for (int i = 0; i < 32; ++i) want.push_back(r * 100 + i);
  for (int r : {0, 1}) want.insert(want.end(), in.begin(), in.end()), static_cast<void>(r);
  Array x(machine, kFloat, in), y(machine, kFloat, Values(192));
  hopper_checks::cluster_of_two(static_cast<float*>(y.data()), static_cast<const float*>(x.data()));
  CHECK(y.values() == want);
}

}  // namespace gb::cuda::cases
