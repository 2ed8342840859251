#include "ops/join/join.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("cat(Tensor[] tensors, int dim=0) -> Tensor");
  m.def("stack(Tensor[] tensors, int dim=0) -> Tensor");
}

Tensor cat(TensorList tensors, int64_t dim) { GB_RETURN_CALL(cat_op(), tensors, dim); }
Tensor stack(TensorList tensors, int64_t dim) { GB_RETURN_CALL(stack_op(), tensors, dim); }

}  // namespace gb
