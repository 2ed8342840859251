// LibTorch's side of verdicts_of.h.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

#include "tests/libtorch/verdicts_of.h"

namespace gb::tests::libtorch {
namespace {

struct LibTorchFunctions {
  using Tensor = at::Tensor;
  using variable_list = torch::autograd::variable_list;
  using AutogradContext = torch::autograd::AutogradContext;
  template <class T>
  using Function = torch::autograd::Function<T>;

  static Tensor tensor(const std::vector<double>& numbers, const std::vector<int64_t>& sizes) {
    return at::tensor(numbers, at::kDouble).reshape(sizes);
  }
  static std::vector<double> values(const Tensor& t) {
    const Tensor flat = t.detach().contiguous();
    return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
  }
  static variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grads,
                            bool create_graph = false) {
    return torch::autograd::grad(outputs, inputs, grads, /*retain_graph=*/true, create_graph, /*allow_unused=*/true);
  }
  static Tensor without_gradient(const Tensor& y) {
    return (*std::make_shared<torch::autograd::UndefinedGrad>())({y})[0];
  }
};

}  // namespace

std::vector<Verdicts> verdicts_by_libtorch() { return VerdictsOf<LibTorchFunctions>::all(); }

}  // namespace gb::tests::libtorch
