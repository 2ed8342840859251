// The host as the machine of the kernel cases. Every case runs there in three thread orders, and every array
// that it reads back must have the same bits in all of them: what differs shows a missing barrier.
#pragma once

#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/simt/orders.h"

namespace gb::cuda::cases {

class HostMachine final : public HostMemory {
 public:
  void begin(simt::Order order) {
    order_ = order;
    results_ = 0;
  }
  void note_result(ScalarType dtype, const void* host, size_t n) override {
    const size_t number = results_++, size = elementSize(dtype);
    if (order_ == simt::Order::Forward) {
      const char* bytes = static_cast<const char*>(host);
      forward_.emplace_back(bytes, bytes + n * size);
    }
    REQUIRE(number < forward_.size());
    const std::string what = "result " + std::to_string(number) + " of the cases";
    simt::check_same_count(order_, what.c_str(), n * size, forward_[number].size());
    simt::check_same(order_, what.c_str(), host, forward_[number].data(), n, size,
                     [&](const void* memory, size_t i) { return text_of(dtype, memory, i); });
  }

 private:
  static std::string text_of(ScalarType dtype, const void* memory, size_t i) {
    std::string text;
    visit_all(dtype, [&](auto zero) {
      using T = decltype(zero);
      text = fmt::format("{}", static_cast<compute_t<T>>(static_cast<const T*>(memory)[i]));
    });
    return text;
  }

  simt::Order order_ = simt::Order::Forward;
  size_t results_ = 0;                      // read back so far in this order
  std::vector<std::vector<char>> forward_;  // their bytes in forward order
};

template <class Cases>
void in_three_orders(Cases cases) {
  HostMachine machine;
  simt::for_every_order([&](simt::Order order) {
    INFO("threads in " << std::string(simt::name_of(order)) << " order");
    machine.begin(order);
    cases(machine);
  });
}

}  // namespace gb::cuda::cases
