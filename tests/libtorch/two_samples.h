// Were two samples drawn from one distribution? Two tests that answer it, each with the limit that its statistic passes
// once in a million times (kFalseAlarm) though they were. With fixed seeds a test that passes stays so.
//
//   kolmogorov_smirnov   any numbers: the largest distance between the two empirical distribution functions
//   chi_square           few values: how often each occurs, against what both samples together would have
//
// Both limits are asymptotic: for samples of thousands. That of chi_square is Wilson and Hilferty's approximation, which
// is on the safe side for few values.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace gb::tests {

inline constexpr double kFalseAlarm = 1e-6;
inline constexpr double kNormalQuantile = 4.7534;  // what a standard normal exceeds that often

struct TwoSamples {
  double statistic, limit;
  bool agree() const { return statistic <= limit; }
};

inline TwoSamples kolmogorov_smirnov(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  double distance = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == x) ++i;
    while (j < b.size() && b[j] == x) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  return {distance, std::sqrt(-std::log(kFalseAlarm / 2) / 2 * (n + m) / (n * m))};
}

inline TwoSamples chi_square(const std::vector<double>& a, const std::vector<double>& b) {
  std::map<double, std::pair<double, double>> counts;
  for (const double x : a) ++counts[x].first;
  for (const double x : b) ++counts[x].second;
  const double ratio = std::sqrt(static_cast<double>(b.size()) / static_cast<double>(a.size()));
  double statistic = 0;
  for (const auto& [x, n] : counts) {
    const double difference = n.first * ratio - n.second / ratio;
    statistic += difference * difference / (n.first + n.second);
  }
  const double freedom = std::max<double>(1, static_cast<double>(counts.size()) - 1), spread = 2 / (9 * freedom);
  return {statistic, freedom * std::pow(1 - spread + kNormalQuantile * std::sqrt(spread), 3)};
}

}  // namespace gb::tests
