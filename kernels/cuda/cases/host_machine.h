// The three orders in which every case runs on the host. A kernel that lacks a barrier gives another result in one of them.
#pragma once

#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/simt/runner.h"

namespace gb::cuda::cases {

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
