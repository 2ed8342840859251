// The same gradients from the real thing. LibTorch is included in this file only (it takes long to compile).
#include <torch/torch.h>

#include "labs/gradients_by_hand.h"

namespace gb::labs {
namespace {

torch::Tensor leaf(const std::vector<double>& values, std::vector<int64_t> sizes, torch::Dtype dtype) {
  return torch::tensor(values, torch::kFloat64).reshape(sizes).to(dtype).requires_grad_();
}

std::vector<double> values(const torch::Tensor& t) {
  const torch::Tensor wide = t.to(torch::kFloat64).contiguous();
  return {wide.const_data_ptr<double>(), wide.const_data_ptr<double>() + wide.numel()};
}

}  // namespace

std::optional<HeadGradients> gradients_by_libtorch(const HeadProblem& p) {
  const torch::Dtype dtype = p.single_precision ? torch::kFloat32 : torch::kFloat64;
  const torch::Tensor x = leaf(p.x, {p.rows, p.features}, dtype), W = leaf(p.W, {p.classes, p.features}, dtype),
                      b = leaf(p.b, {p.classes}, dtype);
  const torch::Tensor next = torch::tensor(p.next, torch::kInt64).reshape({-1, 1});
  const torch::Tensor z = torch::linear(x, W, b);
  const torch::Tensor loss = -torch::softmax(z, -1).gather(1, next).log().mean();
  const auto g = torch::autograd::grad({loss}, {z, x, W, b});
  return HeadGradients{loss.item<double>(), values(g[0]), values(g[1]), values(g[2]), values(g[3])};
}

const char* libtorch_version() { return TORCH_VERSION; }

}  // namespace gb::labs
