// Generator: where random numbers come from: a seeded std::mt19937_64, shared by its copies, one draw at a
// time.
//
// The sequence depends on the seed alone: not on the machine, the dtype or the device. It is NOT PyTorch's
// (which draws from a 32-bit mt19937 and vectorises normal numbers), so values differ from PyTorch's for the
// same seed. Names follow ATen/core/Generator.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>

namespace gb {

class Generator {
 public:
  explicit Generator(uint64_t seed = default_seed) : state_(std::make_shared<State>(seed)) {}

  void set_current_seed(uint64_t seed) { *state_ = State(seed); }
  uint64_t current_seed() const { return state_->seed; }

  // [0, 1): 53 random bits.
  double uniform() { return static_cast<double>(state_->engine() >> 11) * 0x1p-53; }

  // Mean 0, standard deviation 1, by Box and Muller: two uniform numbers give two normal ones, and the second
  // waits for the next call. (std::normal_distribution may differ between C++ libraries.)
  double normal() {
    State& s = *state_;
    if (s.has_spare) {
      s.has_spare = false;
      return s.spare;
    }
    const double radius = std::sqrt(-2 * std::log(1 - uniform())),
                 angle = 2 * 3.14159265358979323846 * uniform();
    s.spare = radius * std::sin(angle);
    s.has_spare = true;
    return radius * std::cos(angle);
  }

  // Drawing is not atomic: whoever draws a tensor's worth of numbers holds this.
  std::mutex& mutex() { return *mutex_; }

  static constexpr uint64_t default_seed = 67280421310721;  // PyTorch's, too

 private:
  struct State {
    explicit State(uint64_t seed_) : seed(seed_), engine(seed_) {}
    uint64_t seed;
    std::mt19937_64 engine;
    double spare = 0;
    bool has_spare = false;
  };
  std::shared_ptr<State> state_;
  std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
};

}  // namespace gb
