// The gradients of reductions: what was many becomes many again.
//
//   sum     every input gets the output's gradient: expand
//   mean    the same, divided by how many inputs went into one output
//   amax    the inputs that equal the maximum share its gradient evenly, as in PyTorch; amin likewise
//
// (The gradient's dtype, where dtype= converted, is the engine's.) That of prod: prod_autograd.cc.
#include "ops/common/derivative.h"
#include "ops/reductions/plan.h"
#include "ops/reductions/reductions.h"

namespace gb::autograd {
namespace {

// Of everything: the gradient has one element.
template <class Derived, bool divide>
struct OfAll : SavesSizes<Derived> {
  Tensor d_self(const Tensor& grad) {
    const Tensor spread = grad.expand(this->self_sizes_);
    return divide ? spread.div(spread.numel()) : spread;
  }
};
struct SumBackward0 final : OfAll<SumBackward0, false> {};
struct MeanBackward0 final : OfAll<MeanBackward0, true> {};

// Over some dimensions.
template <class Derived>
struct OfDims : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_self}; }
  void save_dims(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
    is_reduced_ = reduced_dims(dim, self.dim(), "backward");
    dim_ = list_of(is_reduced_), keepdim_ = keepdim;
  }
  Tensor restore(const Tensor& t) const { return restore_reduced_dims(t, is_reduced_, keepdim_); }
  std::vector<bool> is_reduced_;
  std::vector<int64_t> dim_;
  bool keepdim_ = false;
};

template <class Derived, bool divide>
struct Spreads : OfDims<Derived> {
  Tensor d_self(const Tensor& grad) {
    const Tensor spread = this->restore(grad).expand(self_sizes_);
    return divide ? spread.div(count_of(this->is_reduced_, self_sizes_)) : spread;
  }
  static auto fields() {
    return std::tuple{field("dim", &Spreads::dim_), field("keepdim", &Spreads::keepdim_),
                      field("self_sizes", &Spreads::self_sizes_)};
  }
  void save(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType>) {
    this->save_dims(self, dim, keepdim);
    self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> self_sizes_;
};
struct SumBackward1 final : Spreads<SumBackward1, false> {};
struct MeanBackward1 final : Spreads<MeanBackward1, true> {};

template <class Derived>
struct OfExtremum : OfDims<Derived> {
  Tensor d_self(const Tensor& grad) {
    const Tensor mask = this->restore(this->unpack(result_)).eq(this->unpack(self_));
    return this->restore(grad).div(mask.sum(this->dim_, true)).mul(mask);
  }
  static auto fields() {
    return std::tuple{field("dim", &OfExtremum::dim_), field("keepdim", &OfExtremum::keepdim_),
                      field("result", &OfExtremum::result_), field("self", &OfExtremum::self_)};
  }
  void save(const Tensor& self, IntArrayRef dim, bool keepdim) {
    this->save_dims(self, dim, keepdim);
    self_ = this->saved_input(self);
  }
  void save_result(const Tensor& result) { result_ = this->saved_result(result); }
  SavedVariable self_, result_;
};
struct AmaxBackward0 final : OfExtremum<AmaxBackward0> {};
struct AminBackward0 final : OfExtremum<AminBackward0> {};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("sum", recorded<SumBackward0, &sum_op>);
  m.impl("sum.dim_IntList", recorded<SumBackward1, &sum_dim_op>);
  m.impl("mean", recorded<MeanBackward0, &mean_op>);
  m.impl("mean.dim", recorded<MeanBackward1, &mean_dim_op>);
  m.impl("amax", recorded<AmaxBackward0, &amax_op>);
  m.impl("amin", recorded<AminBackward0, &amin_op>);
  no_gradient(m, {"any", "any.dim", "any.dims", "all", "all.dim", "all.dims"});
}

}  // namespace gb::autograd
