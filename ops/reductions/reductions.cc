#include "ops/reductions/reductions.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("sum(Tensor self, *, ScalarType? dtype=None) -> Tensor");
  m.def("sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
  m.def("mean(Tensor self, *, ScalarType? dtype=None) -> Tensor");
  m.def("mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
  m.def("amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor");
  m.def("amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor");
  m.def("any(Tensor self) -> Tensor");
  m.def("any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor");
  m.def("any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor");
  m.def("all(Tensor self) -> Tensor");
  m.def("all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor");
  m.def("all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor");
  m.def("prod(Tensor self, *, ScalarType? dtype=None) -> Tensor");
  m.def("prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
  m.def("sum_to_size(Tensor self, SymInt[] size) -> Tensor");
}

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) { GB_RETURN_CALL(sum_op(), self, dtype); }
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  GB_RETURN_CALL(sum_dim_op(), self, dim, keepdim, dtype);
}
Tensor mean(const Tensor& self, std::optional<ScalarType> dtype) { GB_RETURN_CALL(mean_op(), self, dtype); }
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  GB_RETURN_CALL(mean_dim_op(), self, dim, keepdim, dtype);
}
Tensor amax(const Tensor& self, IntArrayRef dim, bool keepdim) { GB_RETURN_CALL(amax_op(), self, dim, keepdim); }
Tensor amin(const Tensor& self, IntArrayRef dim, bool keepdim) { GB_RETURN_CALL(amin_op(), self, dim, keepdim); }
Tensor any(const Tensor& self) { GB_RETURN_CALL(any_op(), self); }
Tensor any(const Tensor& self, int64_t dim, bool keepdim) { GB_RETURN_CALL(any_dim_op(), self, dim, keepdim); }
Tensor any(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  GB_RETURN_CALL(any_dims_op(), self, dim, keepdim);
}
Tensor all(const Tensor& self) { GB_RETURN_CALL(all_op(), self); }
Tensor all(const Tensor& self, int64_t dim, bool keepdim) { GB_RETURN_CALL(all_dim_op(), self, dim, keepdim); }
Tensor all(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  GB_RETURN_CALL(all_dims_op(), self, dim, keepdim);
}
Tensor prod(const Tensor& self, std::optional<ScalarType> dtype) { GB_RETURN_CALL(prod_op(), self, dtype); }
Tensor prod(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  GB_RETURN_CALL(prod_dim_op(), self, dim, keepdim, dtype);
}
Tensor sum_to_size(const Tensor& self, IntArrayRef size) { GB_RETURN_CALL(sum_to_size_op(), self, size); }

Tensor Tensor::sum(std::optional<ScalarType> dtype) const { GB_RETURN_CALL(sum_op(), *this, dtype); }
Tensor Tensor::sum(IntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) const {
  GB_RETURN_CALL(sum_dim_op(), *this, dim, keepdim, dtype);
}
Tensor Tensor::mean(std::optional<ScalarType> dtype) const { GB_RETURN_CALL(mean_op(), *this, dtype); }
Tensor Tensor::mean(IntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) const {
  GB_RETURN_CALL(mean_dim_op(), *this, dim, keepdim, dtype);
}
Tensor Tensor::amax(IntArrayRef dim, bool keepdim) const { GB_RETURN_CALL(amax_op(), *this, dim, keepdim); }
Tensor Tensor::amin(IntArrayRef dim, bool keepdim) const { GB_RETURN_CALL(amin_op(), *this, dim, keepdim); }
Tensor Tensor::any() const { GB_RETURN_CALL(any_op(), *this); }
Tensor Tensor::any(int64_t dim, bool keepdim) const { GB_RETURN_CALL(any_dim_op(), *this, dim, keepdim); }
Tensor Tensor::any(OptionalIntArrayRef dim, bool keepdim) const { GB_RETURN_CALL(any_dims_op(), *this, dim, keepdim); }
Tensor Tensor::all() const { GB_RETURN_CALL(all_op(), *this); }
Tensor Tensor::all(int64_t dim, bool keepdim) const { GB_RETURN_CALL(all_dim_op(), *this, dim, keepdim); }
Tensor Tensor::all(OptionalIntArrayRef dim, bool keepdim) const { GB_RETURN_CALL(all_dims_op(), *this, dim, keepdim); }
Tensor Tensor::prod(std::optional<ScalarType> dtype) const { GB_RETURN_CALL(prod_op(), *this, dtype); }
Tensor Tensor::prod(int64_t dim, bool keepdim, std::optional<ScalarType> dtype) const {
  GB_RETURN_CALL(prod_dim_op(), *this, dim, keepdim, dtype);
}
Tensor Tensor::sum_to_size(IntArrayRef sizes) const { GB_RETURN_CALL(sum_to_size_op(), *this, sizes); }

}  // namespace gb
