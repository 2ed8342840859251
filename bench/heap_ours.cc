#include "autograd/autograd_meta.h"
#include "autograd/node.h"
#include "autograd/saved_variable.h"
#include "bench/heap_cases.h"
#include "ops/ops.h"

namespace gb::bench {

std::shared_ptr<void> our_chain(int64_t length) {
  const Tensor factor = ones({1});
  Tensor y = ones({1}).requires_grad_();
  for (int64_t i = 0; i < length; ++i) y = y.mul(factor);
  return std::make_shared<Tensor>(y);
}

Sizes our_sizes() {
  return {sizeof(TensorImpl), sizeof(autograd::AutogradMeta), sizeof(autograd::Node), sizeof(autograd::SavedVariable)};
}

}  // namespace gb::bench
