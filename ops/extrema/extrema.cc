// Schemas, entry points, and what is made of other operators.
#include "ops/extrema/extrema.h"

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/factories/factories.h"
#include "ops/gather/gather.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reductions/plan.h"
#include "ops/reductions/reductions.h"
#include "ops/t/t.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("max(Tensor self) -> Tensor");
  m.def("max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)");
  m.def("max.other(Tensor self, Tensor other) -> Tensor");
  m.def("min(Tensor self) -> Tensor");
  m.def("min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)");
  m.def("min.other(Tensor self, Tensor other) -> Tensor");
  m.def("argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor");
  m.def("argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor");
  m.def(
      "value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool "
      "keepdim) -> "
      "Tensor");
}

Tensor max(const Tensor& self) { GB_RETURN_CALL(max_op(), self); }
ValuesAndIndices max(const Tensor& self, int64_t dim, bool keepdim) {
  GB_RETURN_CALL(max_dim_op(), self, dim, keepdim);
}
Tensor max(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(max_other_op(), self, other); }
Tensor Tensor::max() const { GB_RETURN_CALL(max_op(), *this); }
ValuesAndIndices Tensor::max(int64_t dim, bool keepdim) const {
  GB_RETURN_CALL(max_dim_op(), *this, dim, keepdim);
}
Tensor Tensor::max(const Tensor& other) const { GB_RETURN_CALL(max_other_op(), *this, other); }

Tensor min(const Tensor& self) { GB_RETURN_CALL(min_op(), self); }
ValuesAndIndices min(const Tensor& self, int64_t dim, bool keepdim) {
  GB_RETURN_CALL(min_dim_op(), self, dim, keepdim);
}
Tensor min(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(min_other_op(), self, other); }
Tensor Tensor::min() const { GB_RETURN_CALL(min_op(), *this); }
ValuesAndIndices Tensor::min(int64_t dim, bool keepdim) const {
  GB_RETURN_CALL(min_dim_op(), *this, dim, keepdim);
}
Tensor Tensor::min(const Tensor& other) const { GB_RETURN_CALL(min_other_op(), *this, other); }

Tensor argmax(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  GB_RETURN_CALL(argmax_op(), self, dim, keepdim);
}
Tensor Tensor::argmax(std::optional<int64_t> dim, bool keepdim) const {
  GB_RETURN_CALL(argmax_op(), *this, dim, keepdim);
}
Tensor argmin(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  GB_RETURN_CALL(argmin_op(), self, dim, keepdim);
}
Tensor Tensor::argmin(std::optional<int64_t> dim, bool keepdim) const {
  GB_RETURN_CALL(argmin_op(), *this, dim, keepdim);
}

Tensor value_selecting_reduction_backward(const Tensor& grad, int64_t dim, const Tensor& indices,
                                          IntArrayRef sizes, bool keepdim) {
  GB_RETURN_CALL(value_selecting_reduction_backward_op(), grad, dim, indices, sizes, keepdim);
}

namespace {

Tensor max_of_all(const Tensor& self) {
  check_defined(self, "max", "self");
  check_has_elements("max", self, std::nullopt, {});
  return self.amax();
}
Tensor min_of_all(const Tensor& self) {
  check_defined(self, "min", "self");
  check_has_elements("min", self, std::nullopt, {});
  return self.amin();
}

Tensor select_gradient(const Tensor& grad, int64_t dim, const Tensor& indices, IntArrayRef sizes,
                       bool keepdim) {
  check_defined(grad, "value_selecting_reduction_backward", "grad");
  check_defined(indices, "value_selecting_reduction_backward", "indices");
  const auto with_dim = [&](const Tensor& t) { return keepdim || sizes.empty() ? t : unsqueeze(t, dim); };
  return zeros(sizes, grad.options()).scatter_add(dim, with_dim(indices), with_dim(grad));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("max", GB_FN(max_of_all));
  m.impl("min", GB_FN(min_of_all));
}
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("max.other", GB_FN(maximum));
  m.impl("min.other", GB_FN(minimum));
  m.impl("value_selecting_reduction_backward", GB_FN(select_gradient));
}

}  // namespace gb
