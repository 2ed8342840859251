#include "nn/optim/optimizer.h"

#include <fmt/format.h>

#include <set>

#include "core/autograd_state.h"
#include "core/error.h"
#include "kernels/optim/fused.h"
#include "ops/factories/factories.h"

namespace gb::optim {
namespace {

void check_parameters(const std::vector<OptimizerParamGroup>& groups, const OptimizerParamGroup& added) {
  std::set<const TensorImpl*> known;
  for (const OptimizerParamGroup& group : groups) {
    for (const Tensor& parameter : group.params()) known.insert(parameter.unsafeGetTensorImpl());
  }
  GB_CHECK_OR_THROW(!added.params().empty(), ValueError, .what = "optimizer got an empty parameter list",
                    .cause = "there is nothing to update", .repair = "pass module->parameters()",
                    .chapter = chapters::kGrammar);
  for (const Tensor& parameter : added.params()) {
    GB_CHECK_OR_THROW(parameter.defined() && parameter.is_leaf(), ValueError,
                      .what = parameter.defined() ? "can't optimize a non-leaf Tensor" : "can't optimize an undefined Tensor",
                      .cause = "gradients arrive at leaves only",
                      .repair = "pass the tensors that the others are computed from", .chapter = chapters::kGrammar);
    GB_CHECK_OR_THROW(known.insert(parameter.unsafeGetTensorImpl()).second, ValueError,
                      .what = "some parameters appear in more than one parameter group, or twice in one",
                      .cause = fmt::format("a parameter of sizes {} stands twice; it would be updated twice in a step",
                                           to_string(parameter.sizes())),
                      .repair = "give each parameter once", .chapter = chapters::kGrammar);
  }
}

// The gradient of `parameter`, undefined where it has none.
const Tensor& checked_grad(const Tensor& parameter) {
  const Tensor& grad = parameter.grad();
  if (!grad.defined()) return grad;
  GB_CHECK_OR_THROW(
      grad.sizes() == parameter.sizes() && grad.scalar_type() == parameter.scalar_type() &&
          grad.device() == parameter.device(),
      NotImplementedError, .what = "optimizer: a parameter and its gradient must be of one shape and dtype, on one device",
      .cause = fmt::format("the parameter is a {} of sizes {}, the gradient a {} of sizes {}", parameter.toString(),
                           to_string(parameter.sizes()), grad.toString(), to_string(grad.sizes())),
      .repair = "do not assign gradients of another kind; Module::to moves both", .chapter = chapters::kGrammar);
  fused_kernels(parameter.device(), "optimizer");  // throws here, before the first parameter changes
  return grad;
}

}  // namespace

void check_option(bool good, const char* name, double value, const char* domain) {
  GB_CHECK_OR_THROW(good, ValueError, .what = fmt::format("Invalid {}: {}", name, value),
                    .cause = fmt::format("it must be {}", domain), .repair = "choose another value",
                    .chapter = chapters::kGrammar);
}

Optimizer::Optimizer(const std::vector<OptimizerParamGroup>& groups, std::unique_ptr<OptimizerOptions> defaults)
    : defaults_(std::move(defaults)) {
  defaults_->check();
  if (groups.empty()) check_parameters({}, OptimizerParamGroup({}));  // throws
  for (const OptimizerParamGroup& group : groups) add_param_group(group);
}

void Optimizer::add_param_group(const OptimizerParamGroup& group) {
  check_parameters(param_groups_, group);
  OptimizerParamGroup added(group);
  if (!added.has_options()) added.set_options(defaults_->clone());
  added.options().check();
  param_groups_.push_back(std::move(added));
}

Tensor Optimizer::step(const LossClosure& closure) {
  Tensor loss;
  if (closure) {
    AutoGradMode recorded(true);
    loss = closure();
  }
  NoGradGuard unrecorded;
  for (const OptimizerParamGroup& group : param_groups_) {
    for (const Tensor& parameter : group.params()) checked_grad(parameter);
  }
  for (const OptimizerParamGroup& group : param_groups_) {
    for (const Tensor& parameter : group.params()) {
      const Tensor& grad = parameter.grad();
      if (grad.defined()) update(parameter, grad, group.options(), state_[parameter.unsafeGetTensorImpl()]);
    }
  }
  return loss;
}

void Optimizer::zero_grad(bool set_to_none) {
  for (const OptimizerParamGroup& group : param_groups_) {
    for (const Tensor& parameter : group.params()) {
      Tensor& grad = parameter.mutable_grad();
      if (!grad.defined()) continue;
      if (set_to_none) {
        grad.reset();
      } else {
        grad = grad.detach();
        grad.zero_();
      }
    }
  }
}

OrderedDict<std::string, Tensor> Optimizer::state_dict() const {
  OrderedDict<std::string, Tensor> all;
  size_t number = 0;
  for (size_t g = 0; g < param_groups_.size(); ++g) {
    all.insert(fmt::format("group.{}.lr", g), scalar_tensor(param_groups_[g].options().get_lr(), kDouble));
    for (const Tensor& parameter : param_groups_[g].params()) {
      const auto state = state_.find(parameter.unsafeGetTensorImpl());
      if (state != state_.end() && state->second) {
        for (const auto& item : state->second->tensors()) all.insert(fmt::format("{}.{}", number, item.key()), *item);
      }
      ++number;
    }
  }
  return all;
}

void Optimizer::load_state_dict(const OrderedDict<std::string, Tensor>& state) {
  State loaded;
  std::vector<double> rates;
  size_t number = 0, used = 0;
  for (size_t g = 0; g < param_groups_.size(); ++g) {
    const Tensor* lr = state.find(fmt::format("group.{}.lr", g));
    GB_CHECK_OR_THROW(lr && lr->numel() == 1, ValueError, .what = fmt::format("load_state_dict: no learning rate of group {}", g),
                      .cause = fmt::format("the optimizer has {} groups", param_groups_.size()),
                      .repair = "load into an optimizer made as the one that was saved", .chapter = chapters::kGrammar);
    rates.push_back(lr->item<double>());
    ++used;
    for (const Tensor& parameter : param_groups_[g].params()) {
      const std::string prefix = fmt::format("{}.", number++);
      OrderedDict<std::string, Tensor> own;
      for (const auto& item : state) {
        if (item.key().starts_with(prefix)) own.insert(item.key().substr(prefix.size()), *item);
      }
      used += own.size();
      if (!own.is_empty()) loaded[parameter.unsafeGetTensorImpl()] = make_state(own, parameter);
    }
  }
  GB_CHECK_OR_THROW(used == state.size(), ValueError, .what = "load_state_dict: state of parameters that are not here",
                    .cause = fmt::format("{} of its {} tensors belong to the {} parameters of this optimizer", used,
                                         state.size(), number),
                    .repair = "load into an optimizer made as the one that was saved", .chapter = chapters::kGrammar);
  for (size_t g = 0; g < rates.size(); ++g) param_groups_[g].options().set_lr(rates[g]);
  state_ = std::move(loaded);
}

}  // namespace gb::optim
