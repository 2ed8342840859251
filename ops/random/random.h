// Random numbers: new tensors (rand, randn, randint, randperm), tensors filled in place (normal_, uniform_,
// random_, bernoulli_), and draws by probability (bernoulli, multinomial).
//
// Element i, counted row by row, gets number i of those that the call takes from its generator
// (core/generator.h), in double or int64, rounded to the tensor's dtype: one seed gives the same values everywhere.
// Numbers are drawn on the tensor's device where that has a kernel for it (draw_kernel.h), else on the CPU and copied. On Meta nothing is drawn. Each
// operator is tagged nondeterministic_seeded. A gradient that comes back is zero: what was there before the
// draw has no influence. Reading order: in_place.cc, factories.cc, multinomial.cc, state.cc, autograd.cc.
#pragma once

#include "core/generator.h"
#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

// The generator of calls that name none. manual_seed sets its seed.
Generator& default_generator();

// For a scope, `generator` is this thread's default generator.
class DefaultGeneratorGuard {
 public:
  explicit DefaultGeneratorGuard(Generator& generator);
  ~DefaultGeneratorGuard();
  DefaultGeneratorGuard(const DefaultGeneratorGuard&) = delete;
  DefaultGeneratorGuard& operator=(const DefaultGeneratorGuard&) = delete;

 private:
  Generator* before_;
};
void manual_seed(uint64_t seed);

Tensor rand(IntArrayRef size, const TensorOptions& options = {});  // [0, 1)
Tensor rand(IntArrayRef size, std::optional<Generator> generator, const TensorOptions& options = {});
Tensor randn(IntArrayRef size, const TensorOptions& options = {});  // mean 0, standard deviation 1
Tensor randn(IntArrayRef size, std::optional<Generator> generator, const TensorOptions& options = {});
Tensor randint(int64_t high, IntArrayRef size, const TensorOptions& options = kLong);  // [0, high)
Tensor randint(int64_t high, IntArrayRef size, std::optional<Generator> generator,
               const TensorOptions& options = kLong);
Tensor randint(int64_t low, int64_t high, IntArrayRef size,
               const TensorOptions& options = kLong);  // [low, high)
Tensor randint(int64_t low, int64_t high, IntArrayRef size, std::optional<Generator> generator,
               const TensorOptions& options = kLong);
Tensor randperm(int64_t n, const TensorOptions& options = kLong);  // 0 to n-1 in random order
Tensor randperm(int64_t n, std::optional<Generator> generator, const TensorOptions& options = kLong);

// 1 with the probability that self holds (or p), else 0; in the sizes and the dtype of self.
Tensor bernoulli(const Tensor& self, std::optional<Generator> generator = {});
Tensor bernoulli(const Tensor& self, double p, std::optional<Generator> generator = {});
// Per row of weights, num_samples indices; without replacement each at most once.
Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement = false,
                   std::optional<Generator> generator = {});

using OptGenerator = std::optional<Generator>;
inline const auto& normal__op() {
  return operator_of<"aten::normal_", Tensor&(Tensor&, double, double, OptGenerator)>();
}
inline const auto& uniform__op() {
  return operator_of<"aten::uniform_", Tensor&(Tensor&, double, double, OptGenerator)>();
}
inline const auto& random_from__op() {
  return operator_of<"aten::random_.from", Tensor&(Tensor&, int64_t, std::optional<int64_t>, OptGenerator)>();
}
inline const auto& random_to__op() {
  return operator_of<"aten::random_.to", Tensor&(Tensor&, int64_t, OptGenerator)>();
}
inline const auto& random__op() { return operator_of<"aten::random_", Tensor&(Tensor&, OptGenerator)>(); }
inline const auto& bernoulli_float__op() {
  return operator_of<"aten::bernoulli_.float", Tensor&(Tensor&, double, OptGenerator)>();
}
inline const auto& bernoulli_tensor__op() {
  return operator_of<"aten::bernoulli_.Tensor", Tensor&(Tensor&, const Tensor&, OptGenerator)>();
}
inline const auto& bernoulli_op() {
  return operator_of<"aten::bernoulli", Tensor(const Tensor&, OptGenerator)>();
}
inline const auto& bernoulli_p_op() {
  return operator_of<"aten::bernoulli.p", Tensor(const Tensor&, double, OptGenerator)>();
}
inline const auto& multinomial_op() {
  return operator_of<"aten::multinomial", Tensor(const Tensor&, int64_t, bool, OptGenerator)>();
}

}  // namespace gb
