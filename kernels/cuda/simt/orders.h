// Does a result depend on the order in which threads run? On a GPU that order is nobody's to choose, so a
// kernel whose result changes with it lacks a barrier, or adds floats with atomicAdd.
//
//   const std::vector<float> sums = gb::simt::in_every_order([&] {
//     std::vector<float> out(n);
//     GB_LAUNCH((my_kernel), ..., out.data());
//     return out;
//   });
//
// runs the launch forwards, in reverse and at random, compares the results bit for bit, and throws gb::Error
// that names the first element that differs. kernels/cuda/cases does so with every kernel of the library.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <vector>

#include "kernels/cuda/simt/runner.h"

namespace gb::simt {

// Forward first: the order the others are compared with. With the address or the thread sanitizer it is the
// only one: they find in any order what they find, and are slow.
const std::vector<Order>& orders();
const char* name_of(Order order);

// Runs `body` in each of orders(); the order chosen before is back in the end.
void for_every_order(const std::function<void(Order)>& body);

// A result in this order against the same in forward order, both of `count` elements. text: element i.
void check_same(Order order, const char* what, const void* got, const void* forward, size_t count,
                size_t element_size, const std::function<std::string(const void*, size_t)>& text);

void check_same_count(Order order, const char* what, size_t got, size_t forward);

// run() returns a std::vector of numbers.
template <class Run>
auto in_every_order(Run run) {
  decltype(run()) forward;
  for_every_order([&](Order order) {
    auto got = run();
    using T = typename decltype(got)::value_type;
    if (order == Order::Forward) forward = got;
    check_same_count(order, "the result", got.size(), forward.size());
    check_same(
        order, "the result", got.data(), forward.data(), got.size(), sizeof(T),
        [](const void* memory, size_t i) { return fmt::format("{}", static_cast<const T*>(memory)[i]); });
  });
  return forward;
}

}  // namespace gb::simt
