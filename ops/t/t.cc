#include "ops/t/t.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("t(Tensor(a) self) -> Tensor(a)");
  m.def("transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)");
  m.def("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)");
  m.def("squeeze(Tensor(a) self) -> Tensor(a)");
  m.def("squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)");
  m.def("squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)");
  m.def("t_(Tensor(a!) self) -> Tensor(a!)");
  m.def("transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)");
  m.def("unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)");
  m.def("squeeze_(Tensor(a!) self) -> Tensor(a!)");
  m.def("squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)");
  m.def("squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)");
}

Tensor t(const Tensor& self) { GB_RETURN_CALL(t_op(), self); }
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  GB_RETURN_CALL(transpose_op(), self, dim0, dim1);
}
Tensor unsqueeze(const Tensor& self, int64_t dim) { GB_RETURN_CALL(unsqueeze_op(), self, dim); }
Tensor squeeze(const Tensor& self) { GB_RETURN_CALL(squeeze_op(), self); }
Tensor squeeze(const Tensor& self, int64_t dim) { GB_RETURN_CALL(squeeze_dim_op(), self, dim); }
Tensor squeeze(const Tensor& self, IntArrayRef dims) { GB_RETURN_CALL(squeeze_dims_op(), self, dims); }

Tensor& t_(Tensor& self) { GB_RETURN_CALL(t__op(), self); }
Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1) { GB_RETURN_CALL(transpose__op(), self, dim0, dim1); }
Tensor& unsqueeze_(Tensor& self, int64_t dim) { GB_RETURN_CALL(unsqueeze__op(), self, dim); }
Tensor& squeeze_(Tensor& self) { GB_RETURN_CALL(squeeze__op(), self); }
Tensor& squeeze_(Tensor& self, int64_t dim) { GB_RETURN_CALL(squeeze__dim_op(), self, dim); }
Tensor& squeeze_(Tensor& self, IntArrayRef dims) { GB_RETURN_CALL(squeeze__dims_op(), self, dims); }

Tensor Tensor::t() const { GB_RETURN_CALL(t_op(), *this); }
Tensor Tensor::transpose(int64_t dim0, int64_t dim1) const {
  GB_RETURN_CALL(transpose_op(), *this, dim0, dim1);
}
Tensor Tensor::unsqueeze(int64_t dim) const { GB_RETURN_CALL(unsqueeze_op(), *this, dim); }
Tensor Tensor::squeeze() const { GB_RETURN_CALL(squeeze_op(), *this); }
Tensor Tensor::squeeze(int64_t dim) const { GB_RETURN_CALL(squeeze_dim_op(), *this, dim); }
Tensor Tensor::squeeze(IntArrayRef dims) const { GB_RETURN_CALL(squeeze_dims_op(), *this, dims); }

Tensor& Tensor::t_() const { GB_RETURN_CALL(t__op(), const_cast<Tensor&>(*this)); }
Tensor& Tensor::transpose_(int64_t dim0, int64_t dim1) const {
  GB_RETURN_CALL(transpose__op(), const_cast<Tensor&>(*this), dim0, dim1);
}
Tensor& Tensor::unsqueeze_(int64_t dim) const { GB_RETURN_CALL(unsqueeze__op(), const_cast<Tensor&>(*this), dim); }
Tensor& Tensor::squeeze_() const { GB_RETURN_CALL(squeeze__op(), const_cast<Tensor&>(*this)); }
Tensor& Tensor::squeeze_(int64_t dim) const { GB_RETURN_CALL(squeeze__dim_op(), const_cast<Tensor&>(*this), dim); }
Tensor& Tensor::squeeze_(IntArrayRef dims) const {
  GB_RETURN_CALL(squeeze__dims_op(), const_cast<Tensor&>(*this), dims);
}

}  // namespace gb
