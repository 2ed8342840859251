#include "nn/optim/adamw.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "nn/optim/flat_update.h"
#include "kernels/optim/fused.h"
#include "ops/factories/factories.h"

namespace gb::optim {

void AdamWOptions::check() const {
  const auto [beta1, beta2] = betas();
  check_option(lr() >= 0, "learning rate", lr(), "0 or more");
  check_option(eps() >= 0, "epsilon value", eps(), "0 or more");
  check_option(beta1 >= 0 && beta1 < 1, "beta parameter at index 0", beta1, "in [0, 1)");
  check_option(beta2 >= 0 && beta2 < 1, "beta parameter at index 1", beta2, "in [0, 1)");
  check_option(weight_decay() >= 0, "weight_decay value", weight_decay(), "0 or more");
}

OrderedDict<std::string, Tensor> AdamWParamState::tensors() const {
  OrderedDict<std::string, Tensor> all{
      {"step", scalar_tensor(step(), kLong)}, {"exp_avg", exp_avg()}, {"exp_avg_sq", exp_avg_sq()}};
  if (max_exp_avg_sq().defined()) all.insert("max_exp_avg_sq", max_exp_avg_sq());
  return all;
}

void AdamW::update(const Tensor& parameter, const Tensor& grad, const OptimizerOptions& group,
                   std::unique_ptr<OptimizerParamState>& slot) {
  const auto& options = static_cast<const AdamWOptions&>(group);
  if (!slot) slot = std::make_unique<AdamWParamState>();
  auto& state = static_cast<AdamWParamState&>(*slot);
  const FusedKernels& kernels = fused_kernels(parameter.device(), "AdamW");
  const FlatUpdate flat(parameter, grad);
  state.step(state.step() + 1);
  state.exp_avg(flat.state(state.exp_avg()));
  state.exp_avg_sq(flat.state(state.exp_avg_sq()));
  if (options.amsgrad()) state.max_exp_avg_sq(flat.state(state.max_exp_avg_sq()));
  const auto [beta1, beta2] = options.betas();
  const double steps = static_cast<double>(state.step());
  kernels.adamw(parameter.device(), flat.dtype(),
                {.param = flat.parameter(),
                 .grad = flat.grad(),
                 .exp_avg = state.exp_avg().mutable_data_ptr(),
                 .exp_avg_sq = state.exp_avg_sq().mutable_data_ptr(),
                 .max_exp_avg_sq = options.amsgrad() ? state.max_exp_avg_sq().mutable_data_ptr() : nullptr},
                flat.numel(),
                {.decay = 1 - options.lr() * options.weight_decay(),
                 .beta1 = beta1,
                 .beta2 = beta2,
                 .eps = options.eps(),
                 .step_size = options.lr() / (1 - std::pow(beta1, steps)),
                 .sqrt_bias_correction2 = std::sqrt(1 - std::pow(beta2, steps))});
  flat.finish();
}

std::unique_ptr<OptimizerParamState> AdamW::make_state(const OrderedDict<std::string, Tensor>& tensors,
                                                       const Tensor& parameter) const {
  const Tensor* step = tensors.find("step");
  GB_CHECK_OR_THROW(step && step->numel() == 1 && step->scalar_type() == kLong, ValueError,
                    .what = "load_state_dict: missing 'step'",
                    .cause = fmt::format("for a parameter of sizes {}", to_string(parameter.sizes())),
                    .repair = "load into an optimizer made as the one that was saved", .chapter = chapters::kGrammar);
  auto state = std::make_unique<AdamWParamState>();
  state->step(step->item<int64_t>());
  state->exp_avg(state_tensor(tensors, "exp_avg", parameter));
  state->exp_avg_sq(state_tensor(tensors, "exp_avg_sq", parameter));
  state->max_exp_avg_sq(state_tensor(tensors, "max_exp_avg_sq", parameter, /*optional=*/true));
  return state;
}

}  // namespace gb::optim
