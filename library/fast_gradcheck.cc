#include "library/fast_gradcheck.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <random>

#include "library/compare_jacobians.h"

namespace gb::detail {
namespace {

using Direction = std::vector<double>;

// Entries in [0, 1), length 1; the same numbers on every machine.
std::vector<Direction> directions_like(const std::vector<Tensor>& tensors, std::mt19937_64& engine) {
  std::vector<Direction> all;
  for (const Tensor& t : tensors) {
    Direction& d = all.emplace_back(static_cast<size_t>(t.numel()));
    double squares = 0;
    for (double& x : d) {
      x = static_cast<double>(engine() >> 11) * 0x1p-53;
      squares += x * x;
    }
    for (double& x : d) x /= std::sqrt(squares);
  }
  return all;
}

double sum(const Direction& d) { return std::accumulate(d.begin(), d.end(), 0.0); }

// atol, for the sum of all entries with the weights u and v.
double allowed(double numerical, const Direction& u, const Direction& v, const GradcheckOptions& options) {
  return options.atol * sum(u) * sum(v) + options.rtol * std::abs(numerical);
}

// The message of the slow mode, or that it has none.
[[noreturn]] void throw_with_both(const TensorFunction& f, const std::vector<Tensor>& inputs, const Tensor& output,
                                  size_t which, size_t input, const std::string& fast, const GradcheckOptions& options,
                                  GradcheckReport& report) {
  const Jacobians numerical = numerical_jacobians(f, inputs, {which}, options.eps);
  const Jacobians analytical = analytical_jacobians({output}, inputs);
  const auto slow = mismatch(numerical[0][input], analytical[0][input], which, input, options, report);
  throw_mismatch(which, input,
                 fmt::format("{}\nslow mode: {}", fast,
                             slow.value_or("every entry is within the tolerance, so it passes; the differences "
                                           "of the entries are small, but add up")));
}

}  // namespace

void check_fast(const TensorFunction& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
                const std::vector<size_t>& which, const GradcheckOptions& options, GradcheckReport& report) {
  std::mt19937_64 engine(options.seed);
  const std::vector<Direction> us = directions_like(inputs, engine), vs = directions_like(outputs, engine);
  const Jacobians pulled = vector_jacobians(vs, outputs, inputs);
  check_same_twice(pulled, vector_jacobians(vs, outputs, inputs), which, options.nondet_tol);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad() || inputs[i].numel() == 0) continue;
    const std::vector<double> numerical = numerical_products(f, inputs, i, us[i], outputs, which, vs, options.eps);
    for (size_t k = 0; k < outputs.size(); ++k) {
      if (outputs[k].numel() == 0) continue;
      const std::vector<double>& row = pulled[k][i].values;
      const double n = numerical[k], a = std::inner_product(row.begin(), row.end(), us[i].begin(), 0.0);
      const double limit = allowed(n, us[i], vs[k], options);
      const JacobianEntry entry{which[k], i, 0, 0, n, a, std::abs(a - n)};
      if (report.entries++ == 0 || !(entry.difference <= report.worst.difference)) report.worst = entry;
      if (entry.difference <= limit) continue;
      throw_with_both(f, inputs, outputs[k], which[k], i,
                      fmt::format("fast mode: v^T J u numerical {:.10g}, analytical {:.10g}, difference {:.3g}; allowed "
                                  "{:.3g}; u and v by seed {}",
                                  n, a, entry.difference, limit, options.seed),
                      options, report);
    }
  }
}

}  // namespace gb::detail
