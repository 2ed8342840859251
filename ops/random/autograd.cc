// What a draw overwrites has no influence on it, and what is drawn depends on its probabilities in no
// differentiable way: the gradients are zeros, as in PyTorch.
#include "ops/common/derivative.h"
#include "ops/factories/factories.h"
#include "ops/random/random.h"

namespace gb::autograd {
namespace {

template <class Derived>
struct ZeroGradient : SavesNothing<Derived> {
  Tensor d_self(const Tensor& grad) { return zeros_like(grad); }
};
struct NormalBackward0 final : ZeroGradient<NormalBackward0> {};
struct UniformBackward0 final : ZeroGradient<UniformBackward0> {};
struct RandomBackward0 final : ZeroGradient<RandomBackward0> {};
struct RandomBackward1 final : ZeroGradient<RandomBackward1> {};
struct RandomBackward2 final : ZeroGradient<RandomBackward2> {};
struct BernoulliBackward0 final : ZeroGradient<BernoulliBackward0> {};
struct BernoulliBackward2 final : ZeroGradient<BernoulliBackward2> {};

struct BernoulliBackward1 final : FormulaNode<BernoulliBackward1> {
  Tensor d_self(const Tensor& grad) { return zeros_like(grad); }
  Tensor d_p(const Tensor&) { return zeros_like(unpack(p_)); }
  static auto gradients() { return std::tuple{&BernoulliBackward1::d_self, &BernoulliBackward1::d_p}; }
  static auto fields() { return std::tuple{field("p", &BernoulliBackward1::p_)}; }
  void save(const Tensor&, const Tensor& p, const std::optional<Generator>&) {
    if (should_compute_output(1)) p_ = saved_input(p);
  }
  SavedVariable p_;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("normal_", recorded_inplace<NormalBackward0, &normal__op>);
  m.impl("uniform_", recorded_inplace<UniformBackward0, &uniform__op>);
  m.impl("random_.from", recorded_inplace<RandomBackward0, &random_from__op>);
  m.impl("random_.to", recorded_inplace<RandomBackward1, &random_to__op>);
  m.impl("random_", recorded_inplace<RandomBackward2, &random__op>);
  m.impl("bernoulli_.float", recorded_inplace<BernoulliBackward2, &bernoulli_float__op>);
  m.impl("bernoulli_.Tensor", recorded_inplace<BernoulliBackward1, &bernoulli_tensor__op>);
  m.impl("bernoulli", recorded<BernoulliBackward0, &bernoulli_op>);
  no_gradient(m, {"multinomial"});
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("normal_", bumps_version<&normal__op>);
  m.impl("uniform_", bumps_version<&uniform__op>);
  m.impl("random_.from", bumps_version<&random_from__op>);
  m.impl("random_.to", bumps_version<&random_to__op>);
  m.impl("random_", bumps_version<&random__op>);
  m.impl("bernoulli_.float", bumps_version<&bernoulli_float__op>);
  m.impl("bernoulli_.Tensor", bumps_version<&bernoulli_tensor__op>);
}

}  // namespace gb::autograd
