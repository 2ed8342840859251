#include "tests/libtorch/random_tape_views.h"

#include <numeric>

namespace gb::tests::tape {
namespace {

class Chooser {
 public:
  Chooser(Dice& dice, const Sizes& sizes) : dice_(dice), sizes_(sizes), rank_(static_cast<int64_t>(sizes.size())) {}

  ViewChoice of_any(bool owns_memory) {
    switch (dice_.below(6)) {
      case 0: return reshaped(dice_.chance(2) ? "view" : "reshape");
      case 1: return unsqueeze();
      case 2: return expand();
      case 3: return dice_.chance(2) ? ViewChoice{"squeeze", {}, squeezed(), false, false}
                                     : ViewChoice{"alias", {}, sizes_, false, false};
      case 4: return owns_memory && count(sizes_) > 1 ? as_strided() : reshaped("view");
      default: return ViewChoice{"flatten", {}, {count(sizes_)}, false, false};
    }
  }
  ViewChoice of_dimensions() {
    const int64_t dim = dice_.below(rank_);
    switch (dice_.below(9)) {
      case 0: return select(dim, "select");
      case 1: return select(dim, "unbind");
      case 2: return slice(dim);
      case 3: return narrow(dim);
      case 4: return part(dim, "split");
      case 5: return part(dim, "chunk");
      case 6: return permute();
      case 7: return squeeze(dim);
      default: return rank_ == 2 ? two_dimensions() : transpose(dim);
    }
  }

 private:
  Sizes squeezed() const {
    Sizes left;
    for (const int64_t size : sizes_)
      if (size != 1) left.push_back(size);
    return left;
  }
  ViewChoice reshaped(const char* name) {
    const int64_t n = count(sizes_);
    Sizes to{n};
    for (const int64_t factor : {3, 2})
      if (n % factor == 0 && dice_.percent(60)) {
        to = {factor, n / factor};
        break;
      }
    return {name, to, to};
  }
  ViewChoice unsqueeze() {
    const int64_t dim = dice_.below(rank_ + 1);
    Sizes to = sizes_;
    to.insert(to.begin() + dim, 1);
    return {"unsqueeze", {dim}, to};
  }
  ViewChoice expand() {
    Sizes to = sizes_;
    bool grown = false;
    for (int64_t& size : to)
      if (size == 1) size = 2, grown = true;
    if (!grown && count(to) <= 9) to.insert(to.begin(), 2), grown = true;
    return {"expand", to, to, false, grown};
  }
  ViewChoice as_strided() {
    const int64_t n = count(sizes_), step = 1 + dice_.below(2), offset = dice_.below(n);
    const int64_t length = 1 + dice_.below((n - offset + step - 1) / step);
    return {"as_strided", {length, step, offset}, {length}};
  }
  ViewChoice select(int64_t dim, const char* name) {
    Sizes to = sizes_;
    to.erase(to.begin() + dim);
    return {name, {dim, dice_.below(at(dim))}, to, name[0] == 'u'};
  }
  ViewChoice slice(int64_t dim) {
    const int64_t start = dice_.below(at(dim)), end = start + 1 + dice_.below(at(dim) - start);
    const int64_t step = 1 + dice_.below(2);
    return {"slice", {dim, start, end, step}, with(dim, (end - start + step - 1) / step)};
  }
  ViewChoice narrow(int64_t dim) {
    const int64_t start = dice_.below(at(dim)), length = 1 + dice_.below(at(dim) - start);
    return {"narrow", {dim, start, length}, with(dim, length)};
  }
  // split into parts of a length, or chunk into a number of parts; the last number says which part.
  ViewChoice part(int64_t dim, const char* name) {
    const int64_t size = at(dim), given = 1 + dice_.below(size);
    const int64_t length = name[0] == 's' ? given : (size + given - 1) / given;
    const int64_t which = dice_.below((size + length - 1) / length);
    return {name, {given, dim, which}, with(dim, std::min(length, size - which * length)), true};
  }
  ViewChoice permute() {
    Sizes order(sizes_.size()), to;
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<size_t>(dice_.below(static_cast<int64_t>(i)))]);
    for (const int64_t dim : order) to.push_back(at(dim));
    return {"permute", order, to};
  }
  ViewChoice squeeze(int64_t dim) {
    Sizes to = sizes_;
    if (at(dim) == 1) to.erase(to.begin() + dim);
    return {"squeeze_dim", {dim}, to};
  }
  ViewChoice two_dimensions() {
    if (dice_.chance(2)) return {"t", {}, {sizes_[1], sizes_[0]}};
    return {"diagonal", {}, {std::min(sizes_[0], sizes_[1])}};
  }
  ViewChoice transpose(int64_t dim) {
    Sizes to = sizes_;
    std::swap(to[static_cast<size_t>(dim)], to[0]);
    return {"transpose", {dim, 0}, to};
  }

  int64_t at(int64_t dim) const { return sizes_[static_cast<size_t>(dim)]; }
  Sizes with(int64_t dim, int64_t size) const {
    Sizes to = sizes_;
    to[static_cast<size_t>(dim)] = size;
    return to;
  }

  Dice& dice_;
  const Sizes& sizes_;
  const int64_t rank_;
};

}  // namespace

ViewChoice random_view(Dice& dice, const Sizes& sizes, bool owns_memory) {
  Chooser chooser(dice, sizes);
  return sizes.empty() || dice.percent(30) ? chooser.of_any(owns_memory) : chooser.of_dimensions();
}

}  // namespace gb::tests::tape
