// The gradient of a norm n = (sum |x|^p)^(1/p): grad * sign(x) |x|^(p - 1) / n^(p - 1), and 0 where n is 0.
//
//   p 2           grad * x / n, 0 where n is 0
//   p 1           grad * sign(x)
//   p infinity    the elements whose absolute value is n share grad * sign(x) evenly
//   p 0           none
#include <cmath>

#include "ops/common/derivative.h"
#include "ops/norm/norm.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reductions/plan.h"

namespace gb::autograd {
namespace {

// grad and norm of the sizes of self, with a size 1 where a dimension of `dims` went.
Tensor norm_gradient(const Tensor& grad, const Tensor& self, double p, const Tensor& norm, IntArrayRef dims) {
  if (p == 0) return Tensor();
  if (p == 1) return grad.mul(self.sign());
  if (p == 2) return grad.mul(self.div(norm).masked_fill(norm.eq(0), 0));
  if (std::isinf(p)) {
    const Tensor mask = where(norm.isnan(), self.isnan(), self.abs().eq(norm));
    return self.sign().mul(grad.div(mask.sum(dims, true)).mul(mask));
  }
  Tensor power = self.sign().mul(self.abs().pow(p - 1));
  if (p < 1) power = power.masked_fill(self.eq(0), 0);
  return power.mul(grad.div(norm.pow(p - 1)).masked_fill(norm.eq(0), 0));
}

// What the nodes keep, whichever form of the operator they are of.
template <class Derived>
struct VectorNormBackward : FormulaNode<Derived> {
  Tensor d_self(const Tensor& grad) {
    const Tensor self = this->unpack(self_).to(grad.scalar_type());  // as in the forms with a dtype
    const std::vector<bool> reduced = reduced_dims(IntArrayRef(dim_), self.dim(), "norm");
    const auto restore = [&](const Tensor& t) { return restore_reduced_dims(t, reduced, keepdim_); };
    return norm_gradient(restore(grad), self, p_.toDouble(), restore(this->unpack(result_)),
                         list_of(reduced));
  }
  static auto gradients() { return std::tuple{&VectorNormBackward::d_self}; }
  void save_call(const Tensor& self, OptionalScalar p, OptionalIntArrayRef dim, bool keepdim) {
    self_ = this->saved_input(self);
    p_ = p.value_or(Scalar(2)), keepdim_ = keepdim;
    if (dim) dim_ = dim->vec();
  }
  void save_result(const Tensor& result) { result_ = this->saved_result(result); }
  SavedVariable self_, result_;
  Scalar p_ = 2;
  std::vector<int64_t> dim_;  // empty: all
  bool keepdim_ = false;
};

template <class Derived>
struct NormOfAll : VectorNormBackward<Derived> {
  static auto fields() {
    return std::tuple{field("p", &NormOfAll::p_), field("self", &NormOfAll::self_),
                      field("result", &NormOfAll::result_)};
  }
};
template <class Derived>
struct NormOfDims : VectorNormBackward<Derived> {
  static auto fields() {
    return std::tuple{field("dim", &NormOfDims::dim_), field("keepdim", &NormOfDims::keepdim_),
                      field("p", &NormOfDims::p_), field("self", &NormOfDims::self_),
                      field("result", &NormOfDims::result_)};
  }
};

struct NormBackward0 final : NormOfAll<NormBackward0> {
  void save(const Tensor& self, const Scalar& p) { save_call(self, p, {}, false); }
};
struct NormBackward1 final : NormOfDims<NormBackward1> {
  void save(const Tensor& self, OptionalScalar p, IntArrayRef dim, bool keepdim) {
    save_call(self, p, dim, keepdim);
  }
};
struct NormBackward2 final : NormOfAll<NormBackward2> {
  void save(const Tensor& self, OptionalScalar p, ScalarType) { save_call(self, p, {}, false); }
};
struct NormBackward3 final : NormOfDims<NormBackward3> {
  void save(const Tensor& self, OptionalScalar p, IntArrayRef dim, bool keepdim, ScalarType) {
    save_call(self, p, dim, keepdim);
  }
};
struct LinalgVectorNormBackward0 final : VectorNormBackward<LinalgVectorNormBackward0> {
  static auto fields() {
    using Self = LinalgVectorNormBackward0;
    return std::tuple{field("dim", &Self::dim_), field("keepdim", &Self::keepdim_), field("ord", &Self::p_),
                      field("self", &Self::self_), field("result", &Self::result_)};
  }
  void save(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
            std::optional<ScalarType>) {
    save_call(self, ord, dim, keepdim);
  }
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("norm.Scalar", recorded<NormBackward0, &norm_op>);
  m.impl("norm.ScalarOpt_dim", recorded<NormBackward1, &norm_dim_op>);
  m.impl("norm.ScalarOpt_dtype", recorded<NormBackward2, &norm_dtype_op>);
  m.impl("norm.ScalarOpt_dim_dtype", recorded<NormBackward3, &norm_dim_dtype_op>);
  m.impl("linalg_vector_norm", recorded<LinalgVectorNormBackward0, &linalg_vector_norm_op>);
}

}  // namespace gb::autograd
