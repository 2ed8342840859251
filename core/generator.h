// Generator: where random numbers come from: a seed, and how many numbers have been drawn. Copies share both.
//
// Number n of a seed is a function of the two (philox.h): not of the machine, the dtype, the device, or of
// what was drawn before. A call that needs many takes a range at once, RandomNumbers, and may compute them in
// any order. The values are NOT PyTorch's on the CPU, which draws from a 32-bit mt19937. Names follow
// ATen/core/Generator.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <mutex>

#include "core/intrusive_ptr.h"
#include "core/philox.h"

namespace gb {

class Tensor;

// The numbers that one call draws: number i of them is number first + i of the seed.
struct RandomNumbers {
  uint64_t seed = 0, first = 0;

  PhiloxBlock block(int64_t i) const {
    const uint64_t n = first + static_cast<uint64_t>(i);
    return philox4x32_10({static_cast<uint32_t>(n), static_cast<uint32_t>(n >> 32), 0, 0}, seed);
  }
  uint64_t bits(int64_t i) const { return joined(block(i), 0); }
  // [0, 1): 53 random bits.
  double uniform(int64_t i) const { return unit(bits(i)); }
  // Mean 0, standard deviation 1, by Box and Muller from the two halves of the block.
  double normal(int64_t i) const {
    const PhiloxBlock drawn = block(i);
    return std::sqrt(-2 * std::log(1 - unit(joined(drawn, 0)))) *
           std::cos(2 * 3.14159265358979323846 * unit(joined(drawn, 2)));
  }

 private:
  static uint64_t joined(const PhiloxBlock& b, size_t at) { return uint64_t{b[at + 1]} << 32 | b[at]; }
  static double unit(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }
};

// What the copies of a Generator share.
struct GeneratorImpl final : intrusive_ptr_target {
  explicit GeneratorImpl(uint64_t seed_) : seed(seed_) {}
  uint64_t seed;
  uint64_t offset = 0;  // how many numbers have been drawn
  std::mutex mutex;     // guards both
};

class Generator {
 public:
  explicit Generator(uint64_t seed = default_seed) : impl_(make_intrusive<GeneratorImpl>(seed)) {}
  explicit Generator(intrusive_ptr<GeneratorImpl> impl) : impl_(std::move(impl)) {}

  void set_current_seed(uint64_t seed) { set(seed, 0); }  // and starts from its first number
  uint64_t current_seed() const { return now().seed; }
  void set_offset(uint64_t offset) { set(current_seed(), offset); }
  uint64_t get_offset() const { return now().first; }
  // Seed and offset as two int64; with them another generator goes on where this one is
  // (ops/random/state.cc).
  Tensor get_state() const;
  void set_state(const Tensor& state);

  // The next `count` numbers, which nobody else gets.
  RandomNumbers take(uint64_t count) const {
    const std::lock_guard lock(impl_->mutex);
    const RandomNumbers taken{impl_->seed, impl_->offset};
    impl_->offset += count;
    return taken;
  }
  double uniform() const { return take(1).uniform(0); }
  double normal() const { return take(1).normal(0); }

  const intrusive_ptr<GeneratorImpl>& getIntrusivePtr() const { return impl_; }
  GeneratorImpl* unsafeGetGeneratorImpl() const { return impl_.get(); }
  friend bool operator==(const Generator& a, const Generator& b) {
    return a.impl_ == b.impl_;
  }  // the same source

  static constexpr uint64_t default_seed = 67280421310721;  // PyTorch's, too

 private:
  RandomNumbers now() const {
    const std::lock_guard lock(impl_->mutex);
    return {impl_->seed, impl_->offset};
  }
  void set(uint64_t seed, uint64_t offset) {
    const std::lock_guard lock(impl_->mutex);
    impl_->seed = seed;
    impl_->offset = offset;
  }

  intrusive_ptr<GeneratorImpl> impl_;
};

}  // namespace gb
