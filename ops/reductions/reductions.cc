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

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) { return sum_op().call(self, dtype); }
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return sum_dim_op().call(self, dim, keepdim, dtype);
}
Tensor mean(const Tensor& self, std::optional<ScalarType> dtype) { return mean_op().call(self, dtype); }
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return mean_dim_op().call(self, dim, keepdim, dtype);
}
Tensor amax(const Tensor& self, IntArrayRef dim, bool keepdim) { return amax_op().call(self, dim, keepdim); }
Tensor sum_to_size(const Tensor& self, IntArrayRef size) { return sum_to_size_op().call(self, size); }

Tensor Tensor::sum(std::optional<ScalarType> dtype) const { return sum_op().call(*this, dtype); }
Tensor Tensor::sum(IntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) const {
  return sum_dim_op().call(*this, dim, keepdim, dtype);
}
Tensor Tensor::mean(std::optional<ScalarType> dtype) const { return mean_op().call(*this, dtype); }
Tensor Tensor::mean(IntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) const {
  return mean_dim_op().call(*this, dim, keepdim, dtype);
}
Tensor Tensor::amax(IntArrayRef dim, bool keepdim) const { return amax_op().call(*this, dim, keepdim); }
Tensor Tensor::sum_to_size(IntArrayRef sizes) const { return sum_to_size_op().call(*this, sizes); }

}  // namespace gb
