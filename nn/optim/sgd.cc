#include "nn/optim/sgd.h"

#include "core/error.h"
#include "nn/optim/flat_update.h"
#include "kernels/optim/fused.h"

namespace gb::optim {

void SGDOptions::check() const {
  check_option(lr() >= 0, "learning rate", lr(), "0 or more");
  check_option(momentum() >= 0, "momentum value", momentum(), "0 or more");
  check_option(weight_decay() >= 0, "weight_decay value", weight_decay(), "0 or more");
  GB_CHECK_OR_THROW(!nesterov() || (momentum() > 0 && dampening() == 0), ValueError,
                    .what = "Nesterov momentum requires a momentum and zero dampening",
                    .cause = "it looks ahead along the momentum buffer",
                    .repair = "set momentum above 0 and dampening to 0", .chapter = chapters::kGrammar);
}

OrderedDict<std::string, Tensor> SGDParamState::tensors() const {
  if (!momentum_buffer().defined()) return {};
  return {{"momentum_buffer", momentum_buffer()}};
}

void SGD::update(const Tensor& parameter, const Tensor& grad, const OptimizerOptions& group,
                 std::unique_ptr<OptimizerParamState>& slot) {
  const auto& options = static_cast<const SGDOptions&>(group);
  if (!slot) slot = std::make_unique<SGDParamState>();
  auto& state = static_cast<SGDParamState&>(*slot);
  const FusedKernels& kernels = fused_kernels(parameter.device(), "SGD");
  const FlatUpdate flat(parameter, grad);
  const bool first = !state.momentum_buffer().defined();
  if (options.momentum() != 0) state.momentum_buffer(flat.state(state.momentum_buffer()));
  kernels.sgd(parameter.device(), flat.dtype(),
              {.param = flat.parameter(),
               .grad = flat.grad(),
               .momentum_buffer = options.momentum() != 0 ? state.momentum_buffer().mutable_data_ptr() : nullptr},
              flat.numel(),
              {.lr = options.lr(),
               .momentum = options.momentum(),
               .dampening = options.dampening(),
               .weight_decay = options.weight_decay(),
               .nesterov = options.nesterov(),
               .first = first});
  flat.finish();
}

std::unique_ptr<OptimizerParamState> SGD::make_state(const OrderedDict<std::string, Tensor>& tensors,
                                                     const Tensor& parameter) const {
  auto state = std::make_unique<SGDParamState>();
  state->momentum_buffer(state_tensor(tensors, "momentum_buffer", parameter));
  return state;
}

}  // namespace gb::optim
