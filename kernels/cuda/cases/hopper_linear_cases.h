// What Hopper's rungs of the linear ladder must do, beside what linear_cases.h asks of every rung: the operands
// that their tensor maps can take, TF32, and a fall to a lower rung where they cannot.
#pragma once

#include <cmath>

#include "kernels/cuda/backends.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/linear/gemm.h"

namespace gb::cuda::cases {

struct HopperCase {
  int64_t m, n, k;
  bool a_mn = false, b_mn = false;  // unit stride along m, n; else along k
  double alpha = 1, beta = 0;
  bool c_is_d = false;  // else c is a bias
  Activation activation = Activation::None;
  int64_t batch = 1;
  bool one_b = false;                        // the same b for all of the batch
  bool d_columns = false, ragged_d = false;  // d's unit stride along m; rows of d that are no multiple of 16 bytes
};

// The error allowed for a sum of products, as a share of the sum of their magnitudes. TF32 keeps 10 bits of each
// factor's fraction: rounded to nearest each is off by 2^-11 of itself at most, so a product by 2^-10 and a little.
// Three products of TF32 parts leave out a part of 2^-11 * 2^-11 of either factor's, and each low part is
// itself rounded: some 2^-21 in all. To both comes the rounding of the sums in float.
inline double hopper_bound(const GemmRung& rung, ScalarType dtype) {
  if (dtype != kFloat) return 1e-5;
  return std::string(rung.name) == "14_3xtf32" ? std::ldexp(1, -20) : 1.01 * std::ldexp(1, -10);
}

inline void hopper_gemm_matches(Machine& machine, const GemmRung& rung, ScalarType dtype, const HopperCase& p) {
  INFO(std::string(rung.name) << " on " << std::string(toString(dtype)) << " m=" << p.m << " n=" << p.n
                              << " k=" << p.k << " a_mn " << p.a_mn << " b_mn " << p.b_mn << " batch " << p.batch
                              << " beta " << p.beta << " columns " << p.d_columns);
  const auto up = [](int64_t n) { return (n + 7) / 8 * 8; };  // rows of 16 bytes
  const auto size = [](int64_t n) { return static_cast<size_t>(n); };
  const int64_t a_row = up(p.a_mn ? p.m : p.k), b_row = up(p.b_mn ? p.n : p.k),
                d_row = p.d_columns  ? p.m + 1
                        : p.ragged_d ? p.n + 3
                                     : up(p.n) + 8;
  const int64_t a_matrix = a_row * (p.a_mn ? p.k : p.m), b_matrix = b_row * (p.b_mn ? p.k : p.n),
                d_matrix = d_row * (p.d_columns ? p.n : p.m);
  const Values va = rounded(dtype, random_values(size(p.batch * a_matrix), 1)),
               vb = rounded(dtype, random_values(size(p.batch * b_matrix), 2)),
               vc = rounded(dtype, random_values(size(p.n), 3)),
               before = rounded(dtype, random_values(size(p.batch * d_matrix), 4));
  Array a(machine, dtype, va), b(machine, dtype, vb), c(machine, dtype, vc), d(machine, dtype, before);
  GemmArgs args;
  args.dtype = dtype;
  args.m = p.m, args.n = p.n, args.k = p.k, args.batch = p.batch;
  args.alpha = p.alpha, args.beta = p.beta;
  args.activation = p.activation;
  args.allow_tf32 = dtype == kFloat && std::string(rung.name) != "14_3xtf32";
  args.a = {a.data(), p.a_mn ? 1 : a_row, p.a_mn ? a_row : 1, a_matrix};
  args.b = {b.data(), p.b_mn ? b_row : 1, p.b_mn ? 1 : b_row, p.one_b ? 0 : b_matrix};
  args.d = {d.data(), p.d_columns ? 1 : d_row, p.d_columns ? d_row : 1, d_matrix};
  if (p.beta != 0) args.c = {c.data(), 0, 1, 0};
  if (p.c_is_d) args.c = {d.data(), args.d.row_stride, args.d.col_stride, args.d.batch_stride};
  // 13 stores rows by the copy engine, in units of 16 bytes: it leaves other results to the rung below.
  const bool whole_units = p.n * static_cast<int>(elementSize(dtype)) % 16 == 0;
  REQUIRE(rung.takes(args) ==
          !(std::string(rung.name) == "13_tma_store" && (p.d_columns || p.ragged_d || !whole_units)));
  gemm(args, nullptr);

  const Values got = d.values();
  Values want = before;
  double worst = 0;  // error by what is allowed
  for (int64_t l = 0; l < p.batch; ++l)
    for (int64_t i = 0; i < p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j) {
        double sum = 0, magnitude = 0;
        for (int64_t q = 0; q < p.k; ++q) {
          const double product = va[size(l * a_matrix + (p.a_mn ? q * a_row + i : i * a_row + q))] *
                                 vb[size((p.one_b ? 0 : l * b_matrix) + (p.b_mn ? q * b_row + j : j * b_row + q))];
          sum += product;
          magnitude += std::abs(product);
        }
        const size_t at = size(l * d_matrix + (p.d_columns ? j * d_row + i : i * d_row + j));
        double x = p.alpha * sum;
        if (p.beta != 0) x += p.beta * (p.c_is_d ? before[at] : vc[size(j)]);
        if (p.activation == Activation::Relu) x = std::max(x, 0.0);
        if (p.activation == Activation::Gelu)
          x = 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        want[at] = got[at];
        const double allowed =
            1.2 * std::abs(p.alpha) * magnitude * hopper_bound(rung, dtype) +  // gelu's slope is below 1.2
            tolerance(dtype) * std::max(1.0, std::abs(x));
        worst = std::max(worst, std::abs(got[at] - x) / allowed);
        if (std::isnan(got[at])) worst = INFINITY;
      }
  CHECK(worst <= 1);
  CHECK(got == want);  // what lies between the elements of d stays
}

// Few tiles and a long k: the only calls that 15_split_k takes.
inline void split_k_cases(Machine& machine, const GemmRung& rung) {
  for (ScalarType dtype : {kFloat, kHalf, kBFloat16})
    for (bool mn : {false, true})
      hopper_gemm_matches(machine, rung, dtype,
                          {.m = 70,
                           .n = 61,
                           .k = 900,
                           .a_mn = mn,
                           .b_mn = mn,
                           .alpha = 0.5,
                           .beta = 1,
                           .activation = Activation::Relu,
                           .ragged_d = true});
  GemmArgs large;  // enough tiles for any device
  large.dtype = kHalf;
  large.m = large.n = large.k = 8192;
  alignas(16) static float data[4];
  large.a = {data, 8192, 1}, large.b = {data, 1, 8192}, large.d = {data, 8192, 1};
  CHECK_FALSE(rung.takes(large));
}

// So many tiles that clusters go on to a second one, on a device of up to 160 multiprocessors. Small integers: every
// sum is exact in whatever order, so the result has the bits that rung 09 gives.
// m x n of 2304 x 2304: 81 pairs of tiles of 128 x 256, or 108 that are 192 wide, which rung 13 prefers on an H200;
// 2304 x 3584: 126 pairs, in two rounds, where narrow ones would take three.
inline void second_tile_matches(Machine& machine, const GemmRung& rung, ScalarType dtype, int64_t n, bool a_mn, bool b_mn) {
  INFO(std::string(rung.name) << " on " << std::string(toString(dtype)) << ", second tiles, n " << n << " a_mn " << a_mn
                              << " b_mn " << b_mn);
  constexpr int64_t kM = 2304, kK = 200;
  const auto integers = [](int64_t count, unsigned seed) {
    Values values = random_values(static_cast<size_t>(count), seed, -2.5, 2.5);
    for (double& v : values) v = std::round(v);
    return values;
  };
  const auto size = static_cast<size_t>(kM * n);
  Array a(machine, dtype, integers(kM * kK, 1)), b(machine, dtype, integers(n * kK, 2)), c(machine, dtype, integers(n, 3)),
      d(machine, dtype, Values(size, -1)), d_of_9(machine, dtype, Values(size, 1));
  GemmArgs args;
  args.dtype = dtype;
  args.allow_tf32 = dtype == kFloat;
  args.m = kM, args.n = n, args.k = kK;
  args.a = {a.data(), a_mn ? 1 : kK, a_mn ? kM : 1};
  args.b = {b.data(), b_mn ? n : 1, b_mn ? 1 : kK};
  args.beta = 1;
  args.c = {c.data(), 0, 1};
  args.d = {d.data(), n, 1};
  REQUIRE(rung.takes(args));
  gemm(args, nullptr);
  args.d.data = d_of_9.data();
  const backends::cuda::LinearRungGuard choice("09_mma_sync");
  gemm(args, nullptr);
  const Values got = d.values(), want = d_of_9.values();
  size_t different = 0;
  for (size_t i = 0; i < want.size(); ++i) different += got[i] != want[i];
  CHECK(different == 0);
}

inline void hopper_linear_cases(Machine& machine) {
  for (const GemmRung& rung : linear_rungs()) {
    const std::string name = rung.name;
    if (name < "10" || name == "cublas") continue;
    const backends::cuda::LinearRungGuard choice(rung.name);
    GemmArgs probe;  // does this device have the instructions?
    alignas(16) static float data[64];
    probe.m = probe.n = probe.k = 8;
    probe.allow_tf32 = true;
    probe.a = {data, 8, 1}, probe.b = {data, 1, 8}, probe.d = {data, 8, 1};
    probe.k = name == "15_split_k" ? 8 * 4096 : 8;
    probe.a.row_stride = probe.b.col_stride = probe.k;
    if (!rung.takes(probe)) continue;
    if (name == "15_split_k") {
      split_k_cases(machine, rung);
      continue;
    }
    const bool only_float = name == "14_3xtf32";
    for (ScalarType dtype : {kFloat, kHalf, kBFloat16}) {
      if (only_float && dtype != kFloat) continue;
      for (bool a_mn : {false, true})
        for (bool b_mn : {false, true})
          hopper_gemm_matches(machine, rung, dtype,
                              {.m = 70, .n = 136, .k = 72, .a_mn = a_mn, .b_mn = b_mn, .beta = 1});
      hopper_gemm_matches(machine, rung, dtype, {.m = 1, .n = 1, .k = 1});
      hopper_gemm_matches(
          machine, rung, dtype,
          {.m = 3, .n = 300, .k = 8, .alpha = 0.5, .beta = -2, .activation = Activation::Gelu, .ragged_d = true});
      hopper_gemm_matches(machine, rung, dtype,
                          {.m = 20,
                           .n = 24,
                           .k = 40,
                           .beta = 0.5,
                           .c_is_d = true,
                           .activation = Activation::Relu,
                           .batch = 3,
                           .one_b = true});
    }
    const ScalarType dtype = only_float ? kFloat : kBFloat16;
    hopper_gemm_matches(machine, rung, dtype,
                        {.m = 300, .n = 264, .k = 330, .beta = 1});  // several tiles, stages twice over
    for (ScalarType of : {kFloat, kBFloat16})  // one tile of 256 columns on the host, and several stages
      if (of == dtype || !only_float) hopper_gemm_matches(machine, rung, of, {.m = 130, .n = 256, .k = 200, .beta = 1});
    hopper_gemm_matches(machine, rung, dtype,
                        {.m = 136, .n = 72, .k = 40, .a_mn = true, .b_mn = true, .batch = 2, .d_columns = true});

    if (!machine.is_host() && !only_float) {  // too many products for the host, where three multiprocessors have
                                              // second tiles of the cases above
      for (int64_t n : {2304, 3584}) {
        second_tile_matches(machine, rung, kBFloat16, n, false, false);  // y = x W^T
        second_tile_matches(machine, rung, kBFloat16, n, false, true);   // dX = dY W
        second_tile_matches(machine, rung, kBFloat16, n, true, true);    // dW = dY^T X
        second_tile_matches(machine, rung, kFloat, n, false, false);
      }
    }

    if (name == "12_persistent" || name == "13_tma_store") {  // 2^31 tiles are too many to number
      GemmArgs many = probe;
      many.m = many.n = int64_t{1} << 22;  // 2^14 rows of pairs of tiles, 2^14 columns
      many.d.row_stride = many.n;
      many.d.batch_stride = 8;
      many.batch = 7;
      CHECK(rung.takes(many));
      many.batch = 8;
      CHECK_FALSE(rung.takes(many));
    }

    // Addresses and strides that tensor maps cannot take: a lower rung's.
    probe.a.data = data + 1;
    CHECK_FALSE(rung.takes(probe));
    probe.a.data = data;
    probe.a.row_stride = 9;
    CHECK_FALSE(rung.takes(probe));
    probe.a = {data, 16, 2};
    CHECK_FALSE(rung.takes(probe));
    probe.a = {data, 8, 1};
    probe.dtype = kDouble;
    CHECK_FALSE(rung.takes(probe));
    probe.dtype = kFloat;
    probe.allow_tf32 = false;
    CHECK(rung.takes(probe) == only_float);
    probe.k = 0;
    CHECK_FALSE(rung.takes(probe));
  }
}

}  // namespace gb::cuda::cases
