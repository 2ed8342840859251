// The gradients, for n elements that go into one result.
//
//   var        grad * 2 (self - mean) / (n - correction)
//   std        that of var, with grad / (2 result) for grad; 0 where the result is 0
//   logsumexp  grad * exp(self - result)
#include <algorithm>

#include "ops/common/derivative.h"
#include "ops/reductions/plan.h"
#include "ops/statistics/statistics.h"

namespace gb::autograd {
namespace {

template <class Derived>
struct SpreadBackward : FormulaNode<Derived> {
  // Of the variance; grad of the result's sizes.
  Tensor d_variance(const Tensor& grad) {
    const Tensor self = this->unpack(self_);
    const std::vector<bool> reduced = reduced_dims(IntArrayRef(dim_), self.dim(), "var");
    const double n = static_cast<double>(count_of(reduced, self.sizes()));
    const double freedom = std::max(n - correction_.value_or(Scalar(1)).toDouble(), 0.0);
    const Tensor rest = self.sub(self.mean(dim_, true));
    return restore_reduced_dims(grad, reduced, keepdim_).mul(rest).mul(2 / freedom);
  }
  static auto gradients() { return std::tuple{&Derived::d_self}; }
  void save(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
            bool keepdim) {
    self_ = this->saved_input(self);
    dim_ = list_of(reduced_dims(dim, self.dim(), "var"));
    correction_ = correction, keepdim_ = keepdim;
  }
  SavedVariable self_;
  std::vector<int64_t> dim_;  // that went; all of them where none was given
  std::optional<Scalar> correction_;
  bool keepdim_ = false;
};

struct VarBackward0 final : SpreadBackward<VarBackward0> {
  Tensor d_self(const Tensor& grad) { return d_variance(grad); }
  static auto fields() {
    using Self = VarBackward0;
    return std::tuple{field("correction", &Self::correction_), field("dim", &Self::dim_),
                      field("keepdim", &Self::keepdim_), field("self", &Self::self_)};
  }
};

struct StdBackward0 final : SpreadBackward<StdBackward0> {
  Tensor d_self(const Tensor& grad) {
    const Tensor result = unpack(result_);
    return d_variance(grad.div(result.mul(2)).masked_fill(result.eq(0), 0));
  }
  static auto fields() {
    using Self = StdBackward0;
    return std::tuple{field("correction", &Self::correction_), field("dim", &Self::dim_),
                      field("keepdim", &Self::keepdim_), field("self", &Self::self_),
                      field("result", &Self::result_)};
  }
  void save_result(const Tensor& result) { result_ = saved_result(result); }
  SavedVariable result_;
};

struct LogsumexpBackward0 final : FormulaNode<LogsumexpBackward0> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = unpack(self_);
    const std::vector<bool> reduced = reduced_dims(IntArrayRef(dim_), self.dim(), "logsumexp");
    const Tensor result = restore_reduced_dims(unpack(result_), reduced, keepdim_);
    return restore_reduced_dims(grad, reduced, keepdim_).mul(self.sub(result).exp());
  }
  static auto gradients() { return std::tuple{&LogsumexpBackward0::d_self}; }
  static auto fields() {
    using Self = LogsumexpBackward0;
    return std::tuple{field("dim", &Self::dim_), field("keepdim", &Self::keepdim_),
                      field("self", &Self::self_), field("result", &Self::result_)};
  }
  void save(const Tensor& self, IntArrayRef dim, bool keepdim) {
    self_ = saved_input(self), dim_ = dim.vec(), keepdim_ = keepdim;
  }
  void save_result(const Tensor& result) { result_ = saved_result(result); }
  SavedVariable self_, result_;
  std::vector<int64_t> dim_;
  bool keepdim_ = false;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("var.correction", recorded<VarBackward0, &var_correction_op>);
  m.impl("std.correction", recorded<StdBackward0, &std_correction_op>);
  m.impl("logsumexp", recorded<LogsumexpBackward0, &logsumexp_op>);
}

}  // namespace gb::autograd
