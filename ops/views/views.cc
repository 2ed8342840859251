#include "ops/views/views.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("permute(Tensor(a) self, int[] dims) -> Tensor(a)");
  m.def("select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)");
  m.def(
      "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> "
      "Tensor(a)");
  m.def("narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)");
  m.def("select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor");
  m.def(
      "slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt "
      "step) -> Tensor");
  m.def("diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)");
  m.def(
      "diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> "
      "Tensor");
  m.def("alias(Tensor(a) self) -> Tensor(a)");
}

Tensor permute(const Tensor& self, IntArrayRef dims) { GB_RETURN_CALL(permute_op(), self, dims); }
Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  GB_RETURN_CALL(select_op(), self, dim, index);
}
Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
             int64_t step) {
  GB_RETURN_CALL(slice_op(), self, dim, start, end, step);
}
Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  GB_RETURN_CALL(narrow_op(), self, dim, start, length);
}
Tensor select_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim, int64_t index) {
  GB_RETURN_CALL(select_backward_op(), grad_output, input_sizes, dim, index);
}
Tensor slice_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim, int64_t start,
                      int64_t end, int64_t step) {
  GB_RETURN_CALL(slice_backward_op(), grad_output, input_sizes, dim, start, end, step);
}
Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  GB_RETURN_CALL(diagonal_op(), self, offset, dim1, dim2);
}
Tensor diagonal_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t offset, int64_t dim1,
                         int64_t dim2) {
  GB_RETURN_CALL(diagonal_backward_op(), grad_output, input_sizes, offset, dim1, dim2);
}
Tensor alias(const Tensor& self) { GB_RETURN_CALL(alias_op(), self); }

Tensor Tensor::permute(IntArrayRef dims) const { GB_RETURN_CALL(permute_op(), *this, dims); }
Tensor Tensor::select(int64_t dim, int64_t index) const { GB_RETURN_CALL(select_op(), *this, dim, index); }
Tensor Tensor::slice(int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                     int64_t step) const {
  GB_RETURN_CALL(slice_op(), *this, dim, start, end, step);
}
Tensor Tensor::narrow(int64_t dim, int64_t start, int64_t length) const {
  GB_RETURN_CALL(narrow_op(), *this, dim, start, length);
}
Tensor Tensor::diagonal(int64_t offset, int64_t dim1, int64_t dim2) const {
  GB_RETURN_CALL(diagonal_op(), *this, offset, dim1, dim2);
}
Tensor Tensor::alias() const { GB_RETURN_CALL(alias_op(), *this); }

}  // namespace gb
