// How the numerical and the analytical Jacobian of one output and one input differ, in words. Used by gradcheck.cc and
// fast_gradcheck.cc only.
#pragma once

#include <optional>

#include "library/jacobian.h"

namespace gb::detail {

// The worst entry and both matrices around it, where an entry is outside of the tolerance (NaN is infinitely far).
// Counts the entries in report.entries, and keeps the largest difference in report.worst.
std::optional<std::string> mismatch(const Jacobian& numerical, const Jacobian& analytical, size_t output, size_t input,
                                    const GradcheckOptions& options, GradcheckReport& report);

// Throws where two backward passes gave different values.
void check_same_twice(const Jacobians& once, const Jacobians& again, const std::vector<size_t>& which, double tolerance);

std::string describe(const JacobianEntry& entry);

[[noreturn]] void throw_mismatch(size_t output, size_t input, const std::string& cause);

}  // namespace gb::detail
