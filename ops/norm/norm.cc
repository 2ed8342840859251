#include "ops/norm/norm.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("norm.Scalar(Tensor self, Scalar p=2) -> Tensor");
  m.def("norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor");
  m.def("norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor");
  m.def(
      "norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> "
      "Tensor");
  m.def(
      "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
      "dtype=None) -> Tensor");
}

Tensor norm(const Tensor& self, const Scalar& p) { GB_RETURN_CALL(norm_op(), self, p); }
Tensor norm(const Tensor& self, OptionalScalar p, ScalarType dtype) {
  GB_RETURN_CALL(norm_dtype_op(), self, p, dtype);
}
Tensor norm(const Tensor& self, OptionalScalar p, IntArrayRef dim, bool keepdim) {
  GB_RETURN_CALL(norm_dim_op(), self, p, dim, keepdim);
}
Tensor norm(const Tensor& self, OptionalScalar p, IntArrayRef dim, bool keepdim, ScalarType dtype) {
  GB_RETURN_CALL(norm_dim_dtype_op(), self, p, dim, keepdim, dtype);
}
Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  GB_RETURN_CALL(linalg_vector_norm_op(), self, ord, dim, keepdim, dtype);
}

Tensor Tensor::norm(const Scalar& p) const { GB_RETURN_CALL(norm_op(), *this, p); }
Tensor Tensor::norm(OptionalScalar p, ScalarType dtype) const {
  GB_RETURN_CALL(norm_dtype_op(), *this, p, dtype);
}
Tensor Tensor::norm(OptionalScalar p, IntArrayRef dim, bool keepdim) const {
  GB_RETURN_CALL(norm_dim_op(), *this, p, dim, keepdim);
}
Tensor Tensor::norm(OptionalScalar p, IntArrayRef dim, bool keepdim, ScalarType dtype) const {
  GB_RETURN_CALL(norm_dim_dtype_op(), *this, p, dim, keepdim, dtype);
}

}  // namespace gb
