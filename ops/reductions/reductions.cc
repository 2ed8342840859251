#include "ops/reductions/reductions.h"

#include "dispatcher/library.h"
#include "ops/common/operator.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("sum(Tensor self, *, ScalarType? dtype=None) -> Tensor");
  m.def("sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
  m.def("mean(Tensor self, *, ScalarType? dtype=None) -> Tensor");
  m.def("mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
  m.def("amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor");
  m.def("sum_to_size(Tensor self, SymInt[] size) -> Tensor");
}

const ReduceAllOp& sum_op() {
  static const ReduceAllOp op = find_operator<ReduceAllOp>("aten::sum", "");
  return op;
}
const ReduceDimOp& sum_dim_op() {
  static const ReduceDimOp op = find_operator<ReduceDimOp>("aten::sum", "dim_IntList");
  return op;
}
const ReduceAllOp& mean_op() {
  static const ReduceAllOp op = find_operator<ReduceAllOp>("aten::mean", "");
  return op;
}
const ReduceDimOp& mean_dim_op() {
  static const ReduceDimOp op = find_operator<ReduceDimOp>("aten::mean", "dim");
  return op;
}
const AMaxOp& amax_op() {
  static const AMaxOp op = find_operator<AMaxOp>("aten::amax", "");
  return op;
}
const SumToSizeOp& sum_to_size_op() {
  static const SumToSizeOp op = find_operator<SumToSizeOp>("aten::sum_to_size", "");
  return op;
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
Tensor Tensor::sum_to_size(IntArrayRef sizes) const { GB_RETURN_CALL(sum_to_size_op(), *this, sizes); }

}  // namespace gb
