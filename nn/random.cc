#include "nn/random.h"

#include <cmath>
#include <numbers>

namespace gb::nn {

double Random::uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  // 1 - u is in (0, 1], so that its logarithm is finite.
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

Random& default_random() {
  thread_local Random random(0);
  return random;
}

}  // namespace gb::nn
