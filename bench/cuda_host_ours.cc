// Our side of the host cost of a linear (cuda_host.h).
#include "bench/cuda_host.h"
#include "core/device_hooks.h"
#include "glassbox.h"

int main() {
  const gb::NoGradGuard no_grad;
  const gb::Device device(gb::kCUDA, 0);
  const gb::Tensor x = gb::rand({2, 64}).to(device), weight = gb::rand({600, 64}).to(device),
                   bias = gb::rand({600}).to(device);
  print_host_cost([&] { gb::linear(x, weight, bias); }, [&] { gb::device_hooks(gb::kCUDA)->synchronize(device); });
}
