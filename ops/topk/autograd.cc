// TopkBackward0: the gradient of each value goes back to where it was found.
#include "ops/common/derivative.h"
#include "ops/factories/factories.h"
#include "ops/topk/topk.h"

namespace gb::autograd {
namespace {

struct TopkBackward0 final : FormulaNode<TopkBackward0> {
  using Outputs = Arguments<0>;
  Tensor d_self(const Tensor& grad) {
    return zeros(self_sizes_, grad.options()).scatter_add(dim_, unpack(indices_), grad);
  }
  static auto gradients() { return std::tuple{&TopkBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &TopkBackward0::dim_), field("self_sizes", &TopkBackward0::self_sizes_),
                      field("indices", &TopkBackward0::indices_)};
  }
  void save(const Tensor& self, int64_t, int64_t dim, bool, bool) {
    dim_ = dim, self_sizes_ = self.sizes().vec();
  }
  void save_result(const Tensor&, const Tensor& indices) { indices_ = saved_result(indices); }
  SavedVariable indices_;
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("topk", recorded<TopkBackward0, &topk_op>); }

}  // namespace gb::autograd
