// What the shrinkers of the random programs share: leaving out parts of a list for as long as what is left still fails.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gb::tests {

// Halves of `list` first, then quarters, down to one element at a time. fails(candidate) says whether the list without
// some elements still fails; true where the list became shorter.
template <class T, class Fails>
bool drop_elements(std::vector<T>& list, const Fails& fails) {
  bool smaller = false;
  for (size_t length = list.size(); length > 0; length /= 2) {
    for (size_t at = 0; at < list.size();) {
      std::vector<T> candidate = list;
      const auto begin = candidate.begin() + static_cast<std::ptrdiff_t>(at);
      candidate.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(length, candidate.size() - at)));
      if (fails(candidate)) {
        list = std::move(candidate);
        smaller = true;
      } else {
        at += length;
      }
    }
  }
  return smaller;
}

}  // namespace gb::tests
