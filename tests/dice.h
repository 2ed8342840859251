// What random tests share: numbers from a seed, the same on every machine, and a seed or a length from the environment.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace gb::tests {

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
  int64_t below(int64_t n) {  // in [0, n)
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((state_ >> 33) % static_cast<uint64_t>(n));
  }
  bool chance(int64_t one_in) { return below(one_in) == 0; }
  bool percent(int64_t p) { return below(100) < p; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<size_t>(below(static_cast<int64_t>(from.size())))];
  }

 private:
  uint64_t state_;
};

inline uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace gb::tests
