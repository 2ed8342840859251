#include "ops/gather/gather.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor");
  m.def("scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor");
  m.def("scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)");
}

Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
  GB_RETURN_CALL(gather_op(), self, dim, index, sparse_grad);
}
Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  GB_RETURN_CALL(scatter_add_op(), self, dim, index, src);
}
Tensor Tensor::gather(int64_t dim, const Tensor& index, bool sparse_grad) const {
  GB_RETURN_CALL(gather_op(), *this, dim, index, sparse_grad);
}
Tensor Tensor::scatter_add(int64_t dim, const Tensor& index, const Tensor& src) const {
  GB_RETURN_CALL(scatter_add_op(), *this, dim, index, src);
}
Tensor& Tensor::scatter_add_(int64_t dim, const Tensor& index, const Tensor& src) const {
  GB_RETURN_CALL(scatter_add__op(), const_cast<Tensor&>(*this), dim, index, src);
}

}  // namespace gb
