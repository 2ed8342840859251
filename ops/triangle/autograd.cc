// TrilBackward0, TriuBackward0: the same part of the gradient.
#include "ops/common/derivative.h"
#include "ops/triangle/triangle.h"

namespace gb::autograd {
namespace {

template <class Derived>
struct SavesDiagonal : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_self}; }
  static auto fields() { return std::tuple{field("diagonal", &SavesDiagonal::diagonal_)}; }
  void save(const Tensor&, int64_t diagonal) { diagonal_ = diagonal; }
  int64_t diagonal_ = 0;
};
struct TrilBackward0 final : SavesDiagonal<TrilBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.tril(diagonal_); }
};
struct TriuBackward0 final : SavesDiagonal<TriuBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.triu(diagonal_); }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("tril", recorded<TrilBackward0, &tril_op>);
  m.impl("triu", recorded<TriuBackward0, &triu_op>);
  m.impl("tril_", recorded_inplace<TrilBackward0, &tril__op>);
  m.impl("triu_", recorded_inplace<TriuBackward0, &triu__op>);
}
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("tril_", bumps_version<&tril__op>);
  m.impl("triu_", bumps_version<&triu__op>);
}

}  // namespace gb::autograd
