// What every rung of the LM head's ladder must do: forward, backward, cross-entropy and its backward, against double.
//
// Bounds: a result is off by the rounding of its own dtype, `tolerance`, and by what the logits are off. A logit is a
// float sum of `in` products (off by some 2^-24 of their absolute sum, for each few terms), which rung 1 also rounds to
// the dtype on its way through memory. An error d of the logits changes e^z, and so p, by a factor of at most e^(2 d).
// Gradients are sums of products: what a bound is relative to is the sum of the products' absolute values, their mass.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/error.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/lm_head/lm_head.h"
#include "kernels/cuda/lm_head/mean_loss.h"

namespace gb::cuda::cases {

struct HeadShape {
  int64_t rows, in, out;
  bool with_bias = true;
  double spread = 1;       // x lies in [-spread, spread]: 30 gives logits of some hundred
  bool masked = false;     // every third bias is -inf: such a class is never taken
  bool tf32 = false;       // allow_tf32, of the two forward computations
};

inline constexpr int64_t kIgnored = -100;

// The inputs of a head, as the dtype holds them, and everything that follows from them in double.
struct HeadReference {
  HeadShape shape;
  ScalarType dtype;
  Values x, w, bias, grad_p, target, grad_loss;
  Values p, logsumexp, loss;
  double most_mass = 0, most = 0;  // the largest absolute sum of a logit's products, and the largest logit
  struct Gradients {
    Values x, weight, bias;
    double mass_x = 1e-30, mass_weight = 1e-30, mass_bias = 1e-30;
  };

  static size_t size(int64_t n) { return static_cast<size_t>(n); }

  HeadReference(ScalarType type, const HeadShape& s) : shape(s), dtype(type) {
    const double infinity = std::numeric_limits<double>::infinity();
    x = rounded(type, random_values(size(s.rows * s.in), 1, -s.spread, s.spread));
    w = rounded(type, random_values(size(s.out * s.in), 2));
    bias = s.with_bias ? rounded(type, random_values(size(s.out), 3)) : Values(size(s.out), 0);
    if (s.masked)
      for (size_t j = 0; j < bias.size(); j += 3) bias[j] = -infinity;
    grad_p = rounded(type, random_values(size(s.rows * s.out), 4));
    grad_loss = rounded(kFloat, random_values(size(s.rows), 5));
    for (int64_t r = 0; r < s.rows; ++r) {
      int64_t t = (r * 7 + 1) % s.out;
      if (s.masked && t % 3 == 0) t = (t + 1) % s.out;
      target.push_back(static_cast<double>(r % 4 == 2 ? kIgnored : t));
    }
    for (int64_t r = 0; r < s.rows; ++r) {
      Values z(size(s.out));
      for (int64_t j = 0; j < s.out; ++j) {
        double sum = bias[size(j)], mass = std::isinf(sum) ? 0 : std::abs(sum);
        for (int64_t k = 0; k < s.in; ++k) {
          const double term = x[size(r * s.in + k)] * w[size(j * s.in + k)];
          sum += term, mass += std::abs(term);
        }
        z[size(j)] = sum;
        most_mass = std::max(most_mass, mass);
        if (!std::isinf(sum)) most = std::max(most, std::abs(sum));
      }
      const double max = *std::max_element(z.begin(), z.end());
      double sum = 0;
      for (double v : z) sum += std::exp(v - max);
      logsumexp.push_back(max + std::log(sum));
      const double t = target[size(r)];
      loss.push_back(t == kIgnored ? 0 : logsumexp.back() - z[static_cast<size_t>(t)]);
      for (double v : z) p.push_back(std::exp(v - max) / sum);
    }
  }

  // What a logit may be off by, in the rung of this number.
  double logit_error(size_t rung) const {
    const double unit = dtype == kDouble ? 0x1p-53 : 0x1p-24;
    const double rounding = rung > 1 ? 0 : dtype == kBFloat16 ? 0x1p-8 : dtype == kHalf ? 0x1p-11 : 0;  // of one step
    const double factors = shape.tf32 && rung != 2 ? 0x1p-10 * most_mass : 0;  // two of them, each off by 2^-11
    return unit * most_mass * (2 + static_cast<double>(shape.in) / 16) + rounding * most + factors;
  }

  // From dz [rows, out] and the absolute values that went into it.
  Gradients gradients(const Values& dz, const Values& size_of_dz) const {
    const HeadShape& s = shape;
    Gradients g;
    g.x.assign(size(s.rows * s.in), 0), g.weight.assign(size(s.out * s.in), 0), g.bias.assign(size(s.out), 0);
    Values of_x = g.x, of_weight = g.weight, of_bias = g.bias;
    for (int64_t r = 0; r < s.rows; ++r)
      for (int64_t j = 0; j < s.out; ++j) {
        const double value = dz[size(r * s.out + j)], mass = size_of_dz[size(r * s.out + j)];
        g.bias[size(j)] += value, of_bias[size(j)] += mass;
        for (int64_t k = 0; k < s.in; ++k) {
          const size_t at_x = size(r * s.in + k), at_w = size(j * s.in + k);
          g.x[at_x] += value * w[at_w], of_x[at_x] += mass * std::abs(w[at_w]);
          g.weight[at_w] += value * x[at_x], of_weight[at_w] += mass * std::abs(x[at_x]);
        }
      }
    for (double m : of_x) g.mass_x = std::max(g.mass_x, m);
    for (double m : of_weight) g.mass_weight = std::max(g.mass_weight, m);
    for (double m : of_bias) g.mass_bias = std::max(g.mass_bias, m);
    return g;
  }
};

// Memory of the machine for one call: the inputs, and the scratch memory that the rung asks for.
class HeadMemory {
 public:
  HeadMemory(Machine& machine, const HeadReference& ref)
      : x(machine, ref.dtype, ref.x), w(machine, ref.dtype, ref.w), bias(machine, ref.dtype, ref.bias),
        target(machine, kLong, ref.target), machine_(machine), ref_(ref) {}

  template <class Args>
  Args args() const {
    Args a = {};
    a.dtype = ref_.dtype;
    a.rows = ref_.shape.rows, a.in = ref_.shape.in, a.out = ref_.shape.out;
    a.x = x.data(), a.weight = w.data(), a.allow_tf32 = ref_.shape.tf32;
    if constexpr (requires { a.bias; }) a.bias = ref_.shape.with_bias ? bias.data() : nullptr;
    if constexpr (requires { a.target; }) a.target = target.as_index(), a.ignore_index = kIgnored;
    return a;
  }
  template <class Args>
  void run(Args a) {
    Array scratch(machine_, kBool, Values(lm_head_scratch(a)));
    a.scratch = scratch.data();
    lm_head(a);
  }

  Array x, w, bias, target;

 private:
  Machine& machine_;
  const HeadReference& ref_;
};

inline void check_gradients(const HeadReference::Gradients& want, const Array& dx, const Array& dw, const Array* db,
                            double bound) {
  check_close(dx.values(), want.x, bound, want.mass_x);
  check_close(dw.values(), want.weight, bound, want.mass_weight);
  if (db) check_close(db->values(), want.bias, bound, want.mass_bias);
}

inline void head_matches(Machine& machine, ScalarType dtype, const HeadShape& s) {
  INFO("LM head on " << std::string(toString(dtype)) << ", rows=" << s.rows << " in=" << s.in << " out=" << s.out
                     << " bias=" << s.with_bias << " spread=" << s.spread << " masked=" << s.masked
                     << " tf32=" << s.tf32);
  const HeadReference ref(dtype, s);
  HeadMemory memory(machine, ref);
  const auto zeros = [](const Values& like) { return Values(like.size(), 7); };
  const ScalarType computed = dtype == kDouble ? kDouble : kFloat;
  const auto from_logits = [&](const auto& args) { return 2 * ref.logit_error(lm_head_rung_for(args)); };

  {
    INFO("forward");
    Array p(machine, dtype, zeros(ref.p));
    auto a = memory.args<LmHeadArgs>();
    a.p = p.data();
    memory.run(a);
    // Half's smallest number is 2^-24: what lies below the normal ones is rounded to a multiple of it.
    const double smallest = dtype == kHalf ? 0x1p-14 : 1e-30;
    check_close(p.values(), ref.p, tolerance(dtype) + std::expm1(from_logits(a)), smallest);
  }
  Array dx(machine, dtype, zeros(ref.x)), dw(machine, dtype, zeros(ref.w)), db(machine, dtype, zeros(ref.bias));
  if (s.rows > 0 && !s.tf32) {
    INFO("backward");
    const Values p = rounded(dtype, ref.p);  // an input here
    Array y(machine, dtype, p), dy(machine, dtype, ref.grad_p);
    auto a = memory.args<LmHeadBackwardArgs>();
    a.p = y.data(), a.grad_p = dy.data();
    a.grad_x = dx.data(), a.grad_weight = dw.data(), a.grad_bias = s.with_bias ? db.data() : nullptr;
    memory.run(a);
    Values dz(p.size()), mass(p.size());
    for (int64_t r = 0; r < s.rows; ++r) {
      double dot = 0, of_dot = 0;
      const size_t first = HeadReference::size(r * s.out), last = HeadReference::size((r + 1) * s.out);
      for (size_t i = first; i < last; ++i) dot += p[i] * ref.grad_p[i], of_dot += p[i] * std::abs(ref.grad_p[i]);
      for (size_t i = first; i < last; ++i) {
        dz[i] = p[i] * (ref.grad_p[i] - dot);
        mass[i] = p[i] * (std::abs(ref.grad_p[i]) + of_dot);
      }
    }
    check_gradients(ref.gradients(dz, mass), dx, dw, s.with_bias ? &db : nullptr, tolerance(dtype));
  }
  {
    INFO("cross-entropy");
    Array loss(machine, computed, zeros(ref.loss)), lse(machine, computed, zeros(ref.loss));
    auto a = memory.args<LinearCrossEntropyArgs>();
    a.loss = loss.data(), a.logsumexp = lse.data();
    memory.run(a);
    double largest = 1;
    for (double v : ref.logsumexp) largest = std::max(largest, std::abs(v));
    check_close(loss.values(), ref.loss, tolerance(computed) * largest + from_logits(a));
    check_close(lse.values(), ref.logsumexp, tolerance(computed) * largest + from_logits(a));
  }
  if (s.rows > 0 && !s.tf32) {
    INFO("backward of cross-entropy");
    Array lse(machine, computed, ref.logsumexp), grad(machine, computed, ref.grad_loss);
    double largest = 1;
    for (double v : ref.logsumexp) largest = std::max(largest, std::abs(v));
    for (int64_t stride : {1, 0}) {
      auto a = memory.args<LinearCrossEntropyBackwardArgs>();
      a.logsumexp = lse.data(), a.grad_loss = grad.data(), a.grad_loss_stride = stride;
      a.grad_x = dx.data(), a.grad_weight = dw.data(), a.grad_bias = s.with_bias ? db.data() : nullptr;
      memory.run(a);
      Values dz(ref.p.size(), 0), mass = dz;
      for (int64_t r = 0; r < s.rows; ++r) {
        const double t = ref.target[HeadReference::size(r)], g = ref.grad_loss[HeadReference::size(r * stride)];
        for (int64_t j = 0; j < s.out && t != kIgnored; ++j) {
          const size_t i = HeadReference::size(r * s.out + j);
          const double hit = static_cast<double>(j) == t;
          dz[i] = (ref.p[i] - hit) * g, mass[i] = (ref.p[i] + hit) * std::abs(g);
        }
      }
      // logsumexp comes as a float, rounded.
      const double of_lse = (computed == kDouble ? 0x1p-53 : 0x1p-24) * largest;
      check_gradients(ref.gradients(dz, mass), dx, dw, s.with_bias ? &db : nullptr,
                      tolerance(dtype) + std::expm1(from_logits(a) + of_lse));
    }
  }
}

// A row of which every logit is -inf, or one is NaN or +inf, is NaN, as in softmax; its neighbours are not. Rung 3
// takes eight columns of x, not one.
inline void head_of_nothing(Machine& machine, ScalarType dtype, int64_t in) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const int64_t out = 40;
  Values values, want;
  for (double of_row : {1.0, nan, 2.0, infinity, 3.0, -infinity, 4.0}) {
    values.insert(values.end(), static_cast<size_t>(in), of_row);
    want.insert(want.end(), static_cast<size_t>(out), std::isfinite(of_row) ? 1.0 / static_cast<double>(out) : nan);
  }
  Array x(machine, dtype, values), w(machine, dtype, Values(static_cast<size_t>(out * in), 1));
  Array none(machine, dtype, Values(static_cast<size_t>(out), -infinity)), p(machine, dtype, Values(want.size(), 7));
  LmHeadArgs a = {};
  a.dtype = dtype;
  a.rows = 7, a.in = in, a.out = out;
  a.x = x.data(), a.weight = w.data(), a.p = p.data();
  lm_head(a);
  check_close(p.values(), want, tolerance(dtype), 1.0 / static_cast<double>(out));
  a.bias = none.data();
  lm_head(a);
  check_close(p.values(), Values(want.size(), nan), 0);
}

// The mean over the rows whose target is not kIgnored; of more rows than the 64 blocks have threads.
inline void mean_loss_matches(Machine& machine, ScalarType dtype, int64_t rows, bool all_ignored) {
  INFO("mean loss on " << std::string(toString(dtype)) << " of " << rows << " rows");
  const ScalarType computed = dtype == kDouble ? kDouble : kFloat;
  Values losses = rounded(computed, random_values(static_cast<size_t>(rows), 1, 0, 8)), targets(losses.size(), 3);
  double sum = 0, count = 0;
  for (size_t r = 0; r < losses.size(); ++r)
    if (all_ignored || r % 5 == 0)
      losses[r] = 0, targets[r] = kIgnored;
    else
      sum += losses[r], ++count;
  Array loss(machine, computed, losses), target(machine, kLong, targets), mean(machine, dtype, {7}),
      counted(machine, computed, {7}), scratch(machine, kBool, Values(kMeanLossScratch));
  mean_loss({dtype, mean.data(), counted.data(), loss.data(), target.as_index(), kIgnored, rows, scratch.data(), {}});
  check_close(mean.values(), {sum / count}, tolerance(dtype), 8);
  CHECK(counted.values() == Values{count});
}

// `each` shape on every rung that runs here; where one cannot take a call, the one below runs.
template <class Each>
void on_every_rung(Machine& machine, Each each) {
  for (const LmHeadRung& rung : lm_head_rungs()) {
    if (machine.is_host() && !rung.host_runner) continue;
    INFO("rung " << std::string(rung.name));
    const backends::cuda::LmHeadRungGuard choice(rung.name);
    each();
  }
}

inline void lm_head_cases(Machine& machine) {
  on_every_rung(machine, [&] {
    for (ScalarType dtype : kFloating) {
      for (const HeadShape& s : {HeadShape{0, 64, 600}, {1, 64, 600}, {65, 3, 40}, {63, 8, 33, false},
                                {64, 17, 161, true, 4}, {33, 5, 1}, {5, 70, 12}, {3, 2, 700, false}, {65, 64, 600},
                                {3, 16, 208, false}})
        head_matches(machine, dtype, s);
      head_matches(machine, dtype, {9, 8, 30, true, 30});
      head_matches(machine, dtype, {9, 8, 30, true, 1, true});
      head_matches(machine, dtype, {25, 8, 40, true, 30});       // the same for the rungs that take columns in eights
      head_matches(machine, dtype, {25, 8, 40, true, 1, true});
      for (int64_t in : {1, 8}) head_of_nothing(machine, dtype, in);
      // Rung 4: tiles of 24 rows, blocks of 64 columns of which a warp has 16, in eights.
      for (const HeadShape& s : {HeadShape{23, 8, 8}, {24, 64, 592}, {25, 40, 600}, {73, 8, 640}, {1, 64, 24, false}})
        head_matches(machine, dtype, s);
    }
    for (const HeadShape& s : {HeadShape{25, 64, 600}, {49, 32, 161, false}, {24, 36, 8}, {25, 8, 40, true, 30}, {25, 8, 40, true, 1, true}}) {
      HeadShape tf32 = s;
      tf32.tf32 = true;
      head_matches(machine, kFloat, tf32);
    }
    for (ScalarType dtype : kFloating)
      for (int64_t rows : {0, 1, 300, 17000}) mean_loss_matches(machine, dtype, rows, rows == 1);
    LmHeadArgs a = {};
    a.dtype = kLong;
    CHECK_THROWS_AS(lm_head(a), NotImplementedError);
  });
}

// The head itself, and so many rows that blocks which stay take several tiles.
inline void lm_head_large_cases(Machine& machine) {
  const int64_t multiprocessors = machine.is_host() ? 3 : 132;  // the host runner's; an H200's
  on_every_rung(machine, [&] {
    for (ScalarType dtype : {kFloat, kHalf, kBFloat16}) {
      if (machine.is_host() && dtype == kHalf) continue;  // as BFloat16 does, and each takes seconds there
      head_matches(machine, dtype, {130, 64, 600});
      head_matches(machine, dtype, {1000, 4, 40});
      // Rung 3: six tiles or seven for each block, so that its rings of two and of four places begin again.
      if (dtype != kFloat) head_matches(machine, dtype, {multiprocessors * 64 * 6 + 37, 8, 8});
      // Rung 4: the same of 24 rows for each of three warpgroups; the last block's last one has no tile.
      if (dtype == kFloat) head_matches(machine, dtype, {multiprocessors * 72 * 4 - 40, 8, 8});
    }
    if (machine.is_host()) return;
    for (ScalarType dtype : {kFloat, kHalf, kBFloat16})
      for (int64_t rows : {23, 63, 64, 65, 1000}) head_matches(machine, dtype, {rows, 64, 600});
    HeadShape tf32 = {1000, 64, 600};
    tf32.tf32 = true;
    head_matches(machine, kFloat, tf32);
    head_matches(machine, kBFloat16, {multiprocessors * 64 + 152, 64, 600});  // three blocks take two tiles
  });
}

}  // namespace gb::cuda::cases
