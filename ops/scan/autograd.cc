// CumsumBackward0: an element is in its own sum and in all that follow, so its gradient is the sum of theirs,
// gathered from the end.
#include "ops/common/derivative.h"
#include "ops/scan/scan.h"

namespace gb::autograd {
namespace {

struct CumsumBackward0 final : FormulaNode<CumsumBackward0> {
  Tensor d_self(const Tensor& grad_) {
    const Tensor grad = grad_.to(self_scalar_type_);  // dtype= may have widened it
    if (grad.numel() <= 1 || grad.size(dim_) == 1) return grad;
    return grad.flip({dim_}).cumsum(dim_).flip({dim_});
  }
  static auto gradients() { return std::tuple{&CumsumBackward0::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &CumsumBackward0::dim_),
                      field("self_scalar_type", &CumsumBackward0::self_scalar_type_)};
  }
  void save(const Tensor& self, int64_t dim, std::optional<ScalarType>) {
    dim_ = dim, self_scalar_type_ = self.scalar_type();
  }
  int64_t dim_ = 0;
  ScalarType self_scalar_type_ = ScalarType::Undefined;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("cumsum", recorded<CumsumBackward0, &cumsum_op>); }

}  // namespace gb::autograd
