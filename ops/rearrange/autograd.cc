// FlipBackward0 undoes itself; RepeatBackward0 sums over the copies.
#include <algorithm>

#include "ops/common/derivative.h"
#include "ops/factories/factories.h"
#include "ops/rearrange/rearrange.h"

namespace gb::autograd {
namespace {

struct FlipBackward0 final : FormulaNode<FlipBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.flip(dims_); }
  static auto gradients() { return std::tuple{&FlipBackward0::d_self}; }
  static auto fields() { return std::tuple{field("dims", &FlipBackward0::dims_)}; }
  void save(const Tensor&, IntArrayRef dims) { dims_ = dims.vec(); }
  std::vector<int64_t> dims_;
};

struct RepeatBackward0 final : FormulaNode<RepeatBackward0> {
  // A repeated dimension is seen as two, copies and places, and the copies are summed away.
  Tensor d_self(const Tensor& grad) {
    if (std::find(repeats_.begin(), repeats_.end(), 0) != repeats_.end())
      return zeros(self_sizes_, grad.options());
    const size_t added = repeats_.size() - self_sizes_.size();
    std::vector<int64_t> sizes, copies;
    for (size_t d = 0; d < repeats_.size(); ++d) {
      if (d < added || repeats_[d] != 1) {
        copies.push_back(static_cast<int64_t>(sizes.size()));
        sizes.push_back(repeats_[d]);
      }
      if (d >= added) sizes.push_back(self_sizes_[d - added]);
    }
    return copies.empty() ? grad : grad.reshape(sizes).sum(copies);
  }
  static auto gradients() { return std::tuple{&RepeatBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("repeats", &RepeatBackward0::repeats_),
                      field("self_sizes", &RepeatBackward0::self_sizes_)};
  }
  void save(const Tensor& self, IntArrayRef repeats) {
    repeats_ = repeats.vec(), self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> repeats_, self_sizes_;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("flip", recorded<FlipBackward0, &flip_op>);
  m.impl("repeat", recorded<RepeatBackward0, &repeat_op>);
}

}  // namespace gb::autograd
