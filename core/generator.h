// Generator: where random numbers come from: a seeded std::mt19937_64, shared by its copies, one draw at a
// time.
//
// The sequence depends on the seed alone: not on the machine, the dtype or the device. It is NOT PyTorch's
// (which draws from a 32-bit mt19937 and vectorises normal numbers), so values differ from PyTorch's for the
// same seed. Names follow ATen/core/Generator.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <mutex>
#include <random>

#include "core/intrusive_ptr.h"

namespace gb {

// What the copies of a Generator share.
struct GeneratorImpl final : intrusive_ptr_target {
  explicit GeneratorImpl(uint64_t seed_) : seed(seed_), engine(seed_) {}
  uint64_t seed;
  std::mt19937_64 engine;
  double spare = 0;
  bool has_spare = false;
  std::mutex mutex;
};

class Generator {
 public:
  explicit Generator(uint64_t seed = default_seed) : impl_(make_intrusive<GeneratorImpl>(seed)) {}
  explicit Generator(intrusive_ptr<GeneratorImpl> impl) : impl_(std::move(impl)) {}

  void set_current_seed(uint64_t seed) {
    impl_->seed = seed;
    impl_->engine.seed(seed);
    impl_->has_spare = false;
  }
  uint64_t current_seed() const { return impl_->seed; }
  const intrusive_ptr<GeneratorImpl>& getIntrusivePtr() const { return impl_; }
  GeneratorImpl* unsafeGetGeneratorImpl() const { return impl_.get(); }
  friend bool operator==(const Generator& a, const Generator& b) { return a.impl_ == b.impl_; }  // the same source

  // [0, 1): 53 random bits.
  double uniform() { return static_cast<double>(impl_->engine() >> 11) * 0x1p-53; }

  // Mean 0, standard deviation 1, by Box and Muller: two uniform numbers give two normal ones, and the second
  // waits for the next call. (std::normal_distribution may differ between C++ libraries.)
  double normal() {
    GeneratorImpl& s = *impl_;
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
  std::mutex& mutex() { return impl_->mutex; }

  static constexpr uint64_t default_seed = 67280421310721;  // PyTorch's, too

 private:
  intrusive_ptr<GeneratorImpl> impl_;
};

}  // namespace gb
