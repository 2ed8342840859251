#include "ops/t/t.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("t(Tensor(a) self) -> Tensor(a)");
  m.def("transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)");
  m.def("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)");
  m.def("squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)");
}

Tensor t(const Tensor& self) { GB_RETURN_CALL(t_op(), self); }
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  GB_RETURN_CALL(transpose_op(), self, dim0, dim1);
}
Tensor unsqueeze(const Tensor& self, int64_t dim) { GB_RETURN_CALL(unsqueeze_op(), self, dim); }
Tensor squeeze(const Tensor& self, int64_t dim) { GB_RETURN_CALL(squeeze_op(), self, dim); }
Tensor Tensor::t() const { GB_RETURN_CALL(t_op(), *this); }

}  // namespace gb
