// The host as the machine of the kernel cases, and the three orders in which every case runs there. A kernel
// that lacks a barrier gives another result in one of them.
#pragma once

#include <cstring>

#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/simt/runner.h"

namespace gb::cuda::cases {

class HostMachine final : public Machine {
 public:
  bool is_host() const override { return true; }
  void* allocate(size_t nbytes) override {
    return ::operator new(nbytes);
  }  // exact: the address sanitizer sees overruns
  void release(void* memory) override { ::operator delete(memory); }
  void copy_in(void* device, const void* host, size_t nbytes) override {
    if (nbytes) memcpy(device, host, nbytes);
  }
  void copy_out(void* host, const void* device, size_t nbytes) override {
    if (nbytes) memcpy(host, device, nbytes);
  }
};

template <class Cases>
void in_three_orders(Cases cases) {
  HostMachine machine;
  for (simt::Order order : {simt::Order::Forward, simt::Order::Reverse, simt::Order::Random}) {
    simt::options().order = order;
    INFO("thread order " << static_cast<int>(order) << " (0 forward, 1 reverse, 2 random)");
    cases(machine);
  }
  simt::options().order = simt::Order::Forward;
}

}  // namespace gb::cuda::cases
