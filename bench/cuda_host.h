// What one linear costs the host: the time from the call until the launch is queued, without waiting for the GPU. The
// same loop for glassbox (cuda_host_ours.cc) and for LibTorch (cuda_host_torch.cc, which bench/cuda.py compiles on the
// machine with the GPU, against its torch).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>

// call(): one linear. wait(): until the GPU is idle. Prints the least of some rounds' mean, in nanoseconds.
template <class Call, class Wait>
void print_host_cost(Call call, Wait wait) {
  constexpr int kCalls = 200, kRounds = 50;  // fewer calls than the queue of a stream holds
  for (int i = 0; i < kCalls; ++i) call();
  wait();
  double least = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    least = std::min(least, spent.count() / kCalls);
    wait();
  }
  std::printf("%.0f\n", least);
}
