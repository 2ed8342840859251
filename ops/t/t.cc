#include "ops/t/t.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("t(Tensor(a) self) -> Tensor(a)");
  m.def("transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)");
  m.def("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)");
  m.def("squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)");
}

const TypedOperatorHandle<Tensor(const Tensor&)>& t_op() {
  static const auto op =
      Dispatcher::singleton().findSchemaOrThrow("aten::t", "").typed<Tensor(const Tensor&)>();
  return op;
}
const TypedOperatorHandle<Tensor(const Tensor&, int64_t, int64_t)>& transpose_op() {
  static const auto op = Dispatcher::singleton()
                             .findSchemaOrThrow("aten::transpose", "int")
                             .typed<Tensor(const Tensor&, int64_t, int64_t)>();
  return op;
}
const TypedOperatorHandle<Tensor(const Tensor&, int64_t)>& unsqueeze_op() {
  static const auto op = Dispatcher::singleton()
                             .findSchemaOrThrow("aten::unsqueeze", "")
                             .typed<Tensor(const Tensor&, int64_t)>();
  return op;
}
const TypedOperatorHandle<Tensor(const Tensor&, int64_t)>& squeeze_op() {
  static const auto op = Dispatcher::singleton()
                             .findSchemaOrThrow("aten::squeeze", "dim")
                             .typed<Tensor(const Tensor&, int64_t)>();
  return op;
}

Tensor t(const Tensor& self) { GB_RETURN_CALL(t_op(), self); }
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  GB_RETURN_CALL(transpose_op(), self, dim0, dim1);
}
Tensor unsqueeze(const Tensor& self, int64_t dim) { GB_RETURN_CALL(unsqueeze_op(), self, dim); }
Tensor squeeze(const Tensor& self, int64_t dim) { GB_RETURN_CALL(squeeze_op(), self, dim); }
Tensor Tensor::t() const { GB_RETURN_CALL(t_op(), *this); }

}  // namespace gb
