#include "ops/index_select/index_select.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("index_select(Tensor self, int dim, Tensor index) -> Tensor");
  m.def("index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor");
  m.def("index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor");
  m.def("index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!)");
}

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  GB_RETURN_CALL(index_select_op(), self, dim, index);
}
Tensor index_select_backward(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index) {
  GB_RETURN_CALL(index_select_backward_op(), grad, self_sizes, dim, index);
}
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                 const Scalar& alpha) {
  GB_RETURN_CALL(index_add_op(), self, dim, index, source, alpha);
}
Tensor Tensor::index_select(int64_t dim, const Tensor& index) const {
  GB_RETURN_CALL(index_select_op(), *this, dim, index);
}
Tensor Tensor::index_add(int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) const {
  GB_RETURN_CALL(index_add_op(), *this, dim, index, source, alpha);
}
Tensor& Tensor::index_add_(int64_t dim, const Tensor& index, const Tensor& source,
                           const Scalar& alpha) const {
  GB_RETURN_CALL(index_add__op(), const_cast<Tensor&>(*this), dim, index, source, alpha);
}

}  // namespace gb
