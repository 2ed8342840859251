#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/variable.h>

#include "bench/heap_cases.h"

namespace gb::bench {

std::shared_ptr<void> libtorch_chain(int64_t length) {
  const at::Tensor factor = at::ones({1});
  at::Tensor y = at::ones({1}).requires_grad_();
  for (int64_t i = 0; i < length; ++i) y = y.mul(factor);
  return std::make_shared<at::Tensor>(y);
}

Sizes libtorch_sizes() {
  return {sizeof(at::TensorImpl), sizeof(torch::autograd::AutogradMeta), sizeof(torch::autograd::Node),
          sizeof(torch::autograd::SavedVariable)};
}

}  // namespace gb::bench
