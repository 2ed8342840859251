// The gradient of a product: for each factor, the product of the others.
//
//   y = a b c d      before = 1, a, ab, abc     after = bcd, cd, d, 1      d x = grad * before * after
//
// Never y / x, which is 0 / 0 where a factor is 0. `before` is made by doubling: a place that holds the product of the 2^k
// factors in front of it takes in the 2^k further ahead. Made of recorded operators, so it can be differentiated again, and
// is right however many factors are 0. (PyTorch divides where no factor is 0, and gives up on second derivatives where two
// are.) n factors cost log n products of n elements.
#include "ops/common/derivative.h"
#include "ops/factories/factories.h"
#include "ops/join/join.h"
#include "ops/reductions/reductions.h"

namespace gb::autograd {
namespace {

// x moved `by` places along dim, with ones where nothing came.
Tensor shifted(const Tensor& x, int64_t dim, int64_t by) {
  std::vector<int64_t> sizes = x.sizes().vec();
  sizes[static_cast<size_t>(dim)] = by;
  const std::vector<Tensor> parts{gb::ones(sizes, x.options()), x.narrow(dim, 0, x.size(dim) - by)};
  return gb::cat(parts, dim);
}

Tensor product_of_those_before(const Tensor& x, int64_t dim) {
  Tensor product = shifted(x, dim, 1);
  for (int64_t reach = 1; reach < x.size(dim); reach *= 2) product = product.mul(shifted(product, dim, reach));
  return product;
}

Tensor product_of_others(const Tensor& x, int64_t dim) {
  if (x.size(dim) == 0) return x;
  const Tensor after = product_of_those_before(x.flip({dim}), dim).flip({dim});
  return product_of_those_before(x, dim).mul(after);
}

struct ProdBackward0 final : FormulaNode<ProdBackward0> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = unpack(self_).to(grad.scalar_type());  // dtype= may have widened it
    return grad.mul(product_of_others(self.reshape({-1}), 0).view(self.sizes()));
  }
  static auto gradients() { return std::tuple{&ProdBackward0::d_self}; }
  static auto fields() { return std::tuple{field("self", &ProdBackward0::self_)}; }
  void save(const Tensor& self, std::optional<ScalarType>) { self_ = saved_input(self); }
  SavedVariable self_;
};

struct ProdBackward1 final : FormulaNode<ProdBackward1> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = unpack(self_).to(grad.scalar_type());
    if (self.dim() == 0) return grad;
    const int64_t dim = dim_ < 0 ? dim_ + self.dim() : dim_;
    return (keepdim_ ? grad : grad.unsqueeze(dim)).mul(product_of_others(self, dim));
  }
  static auto gradients() { return std::tuple{&ProdBackward1::d_self}; }
  static auto fields() {
    return std::tuple{field("dim", &ProdBackward1::dim_), field("keepdim", &ProdBackward1::keepdim_),
                      field("self", &ProdBackward1::self_)};
  }
  void save(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType>) {
    self_ = saved_input(self);
    dim_ = dim, keepdim_ = keepdim;
  }
  SavedVariable self_;
  int64_t dim_ = 0;
  bool keepdim_ = false;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("prod", recorded<ProdBackward0, &prod_op>);
  m.impl("prod.dim_int", recorded<ProdBackward1, &prod_dim_op>);
}

}  // namespace gb::autograd
