// What the generator believes about the values of the program it writes, so that most statements make sense. Where it is
// mistaken, a statement is refused, which is compared too.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/dice.h"
#include "tests/libtorch/random_tape_program.h"

namespace gb::tests::tape {

using Sizes = std::vector<int64_t>;

inline int64_t count(const Sizes& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

// False where the two do not broadcast.
inline bool broadcasts(const Sizes& a, const Sizes& b, Sizes& result) {
  result.assign(std::max(a.size(), b.size()), 1);
  for (size_t i = 1; i <= result.size(); ++i) {
    const int64_t x = i <= a.size() ? a[a.size() - i] : 1, y = i <= b.size() ? b[b.size() - i] : 1;
    if (x != y && x != 1 && y != 1) return false;
    result[result.size() - i] = std::max(x, y);
  }
  return true;
}

struct Model {
  int number = 0;
  Sizes sizes;
  int base = 0;  // of what shares another value's memory: that value, which may be gone
  bool requires_grad = false;
  bool leaf = false;      // of a view: its base is one
  bool locked = false;    // a view that may not be written: made without recording, or one of several
  bool inference = false;
  bool overlaps = false;  // expanded

  int memory() const { return base ? base : number; }  // equal for values that may share memory
};

class Models {
 public:
  explicit Models(Dice& dice) : dice_(dice) {}

  void add(Model model) { all_.push_back(std::move(model)); }
  void drop(int number) {
    std::erase_if(all_, [&](const Model& m) { return m.number == number; });
  }
  bool empty() const { return all_.empty(); }
  size_t size() const { return all_.size(); }

  // The newer half is taken more often than the older one.
  Model& any() {
    const auto n = static_cast<int64_t>(all_.size());
    const int64_t back = dice_.percent(60) ? dice_.below((n + 1) / 2) : dice_.below(n);
    return all_[static_cast<size_t>(n - 1 - back)];
  }
  // One of those for which fits(model) holds; null where there is none.
  template <class Fits>
  Model* one(const Fits& fits) {
    std::vector<Model*> chosen;
    for (Model& m : all_)
      if (fits(m)) chosen.push_back(&m);
    if (chosen.empty()) return nullptr;
    const auto n = static_cast<int64_t>(chosen.size());
    return chosen[static_cast<size_t>(n - 1 - (dice_.chance(2) ? dice_.below((n + 1) / 2) : dice_.below(n)))];
  }
  // A write to one value records on all that share its memory.
  void written(const Model& target, bool recorded) {
    for (Model& m : all_)
      if (recorded && m.memory() == target.memory()) m.requires_grad = true, m.leaf = false;
  }

 private:
  Dice& dice_;
  std::vector<Model> all_;
};

}  // namespace gb::tests::tape
