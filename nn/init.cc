#include "nn/init.h"

#include "core/autograd_state.h"

namespace gb::nn::init {

Tensor normal_(Tensor tensor, double mean, double std, std::optional<Generator> generator) {
  NoGradGuard unrecorded;
  return tensor.normal_(mean, std, std::move(generator));
}

Tensor uniform_(Tensor tensor, double low, double high, std::optional<Generator> generator) {
  NoGradGuard unrecorded;
  return tensor.uniform_(low, high, std::move(generator));
}

Tensor constant_(Tensor tensor, const Scalar& value) {
  NoGradGuard unrecorded;
  return tensor.fill_(value);
}

Tensor zeros_(Tensor tensor) { return constant_(std::move(tensor), 0); }
Tensor ones_(Tensor tensor) { return constant_(std::move(tensor), 1); }

}  // namespace gb::nn::init
