#include "kernels/cuda/simt/orders.h"

#include "core/error.h"
#include "kernels/cuda/simt/sanitizers.h"

namespace gb::simt {

const std::vector<Order>& orders() {
  static const std::vector<Order> all = {Order::Forward, Order::Reverse, Order::Random},
                                  one = {Order::Forward};
  return __tsan_create_fiber || __asan_unpoison_memory_region ? one : all;
}

const char* name_of(Order order) {
  return order == Order::Forward ? "forward" : order == Order::Reverse ? "reverse" : "random";
}

void for_every_order(const std::function<void(Order)>& body) {
  struct Restore {
    Order before = options().order;
    ~Restore() { options().order = before; }
  } restore;
  for (Order order : orders()) {
    options().order = order;
    body(order);
  }
}

void check_same_count(Order order, const char* what, size_t got, size_t forward) {
  GB_CHECK_OR_THROW(
      got == forward, Error, .what = fmt::format("simt: {} depends on the order of threads", what),
      .cause = fmt::format("{} elements in forward order, {} in {} order", forward, got, name_of(order)),
      .repair = "let the launch decide on the length", .chapter = chapters::kKernels);
}

void check_same(Order order, const char* what, const void* got, const void* forward, size_t count,
                size_t element_size, const std::function<std::string(const void*, size_t)>& text) {
  const auto differs = [&](size_t i) {
    const size_t at = i * element_size;
    return memcmp(static_cast<const char*>(got) + at, static_cast<const char*>(forward) + at, element_size) !=
           0;
  };
  size_t first = 0, others = 0;
  while (first < count && !differs(first)) ++first;
  if (first == count) return;
  for (size_t i = first + 1; i < count; ++i) others += differs(i);
  GB_THROW(
      Error, .what = fmt::format("simt: {} depends on the order of threads", what),
      .cause = fmt::format("element {} of {} is {} in forward order and {} in {} order; {} others differ",
                           first, count, text(forward, first), text(got, first), name_of(order), others),
      .repair =
          "look for a missing __syncthreads() or __syncwarp(), or a float atomicAdd; the thread sanitizer "
          "names both lines (kernels/cuda/simt/README.md)",
      .chapter = chapters::kKernels);
}

}  // namespace gb::simt
