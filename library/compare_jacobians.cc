#include "library/compare_jacobians.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace gb::detail {
namespace {

double allowed(const JacobianEntry& e, const GradcheckOptions& options) {
  return options.atol + options.rtol * std::abs(e.numerical);
}

double excess(const JacobianEntry& e, const GradcheckOptions& options) {
  const double beyond = e.difference - allowed(e, options);
  return std::isnan(beyond) ? std::numeric_limits<double>::infinity() : beyond;
}

}  // namespace

std::string describe(const JacobianEntry& e) {
  return fmt::format("at (row {}, column {}) numerical {:.10g}, analytical {:.10g}, difference {:.3g}", e.row,
                     e.column, e.numerical, e.analytical, e.difference);
}

std::optional<std::string> mismatch(const Jacobian& numerical, const Jacobian& analytical, size_t output, size_t input,
                                    const GradcheckOptions& options, GradcheckReport& report) {
  JacobianEntry worst;  // of this pair, by excess
  double worst_excess = -std::numeric_limits<double>::infinity();
  for (int64_t r = 0; r < numerical.rows; ++r) {
    for (int64_t c = 0; c < numerical.columns; ++c) {
      const double n = numerical.at(r, c), a = analytical.at(r, c);
      const JacobianEntry e{output, input, r, c, n, a, std::abs(a - n)};
      if (excess(e, options) > worst_excess) worst_excess = excess(e, options), worst = e;
      const bool first = report.entries++ == 0;
      if (first || (!std::isnan(report.worst.difference) && !(e.difference <= report.worst.difference)))
        report.worst = e;
    }
  }
  if (worst_excess <= 0) return std::nullopt;
  return fmt::format("worst {}; allowed {:.3g}\n{}", describe(worst), allowed(worst, options),
                     print_around(numerical, analytical, worst));
}

void check_same_twice(const Jacobians& once, const Jacobians& again, const std::vector<size_t>& which,
                      double tolerance) {
  for (size_t k = 0; k < once.size(); ++k) {
    for (size_t i = 0; i < once[k].size(); ++i) {
      for (size_t v = 0; v < once[k][i].values.size(); ++v) {
        const double a = once[k][i].values[v], b = again[k][i].values[v];
        const bool same = std::abs(a - b) <= tolerance || (std::isnan(a) && std::isnan(b)) || a == b;
        const auto at = static_cast<int64_t>(v);
        GB_CHECK_OR_THROW(
            same, GradcheckError,
            .what =
                "gradcheck: Backward is not reentrant, i.e., running backward with same input and "
                "grad_output "
                "multiple times gives different values",
            .cause = fmt::format(
                "output {} with respect to input {} at (row {}, column {}): {:.17g}, then {:.17g}", which[k],
                i, at / once[k][i].columns, at % once[k][i].columns, a, b),
            .repair = "look for state that backward changes; or allow the difference with nondet_tol",
            .chapter = chapters::kAutograd);
      }
    }
  }
}

void throw_mismatch(size_t output, size_t input, const std::string& cause) {
  GB_THROW(GradcheckError,
           .what = fmt::format("gradcheck: Jacobian mismatch for output {} with respect to input {}", output, input),
           .cause = cause,
           .repair = "correct the backward: row r, column c is d output[r] / d input[c]; or, if f has a kink there, "
                     "choose other inputs",
           .chapter = chapters::kAutograd);
}

}  // namespace gb::detail
