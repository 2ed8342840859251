// LibTorch's side of the host cost of a linear: compiled by bench/cuda.py where torch and a GPU are.
#include <torch/torch.h>

#include "bench/cuda_host.h"

int main() {
  const torch::NoGradGuard no_grad;
  const auto cuda = torch::TensorOptions().device(torch::kCUDA);
  const torch::Tensor x = torch::rand({2, 64}, cuda), weight = torch::rand({600, 64}, cuda),
                      bias = torch::rand({600}, cuda);
  print_host_cost([&] { at::linear(x, weight, bias); }, [] { torch::cuda::synchronize(); });
}
