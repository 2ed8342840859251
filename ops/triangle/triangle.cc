#include "ops/triangle/triangle.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("tril(Tensor self, SymInt diagonal=0) -> Tensor");
  m.def("triu(Tensor self, SymInt diagonal=0) -> Tensor");
  m.def("tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)");
  m.def("triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)");
}

Tensor tril(const Tensor& self, int64_t diagonal) { GB_RETURN_CALL(tril_op(), self, diagonal); }
Tensor triu(const Tensor& self, int64_t diagonal) { GB_RETURN_CALL(triu_op(), self, diagonal); }
Tensor Tensor::tril(int64_t diagonal) const { GB_RETURN_CALL(tril_op(), *this, diagonal); }
Tensor Tensor::triu(int64_t diagonal) const { GB_RETURN_CALL(triu_op(), *this, diagonal); }
Tensor& Tensor::tril_(int64_t diagonal) const {
  GB_RETURN_CALL(tril__op(), const_cast<Tensor&>(*this), diagonal);
}
Tensor& Tensor::triu_(int64_t diagonal) const {
  GB_RETURN_CALL(triu__op(), const_cast<Tensor&>(*this), diagonal);
}

}  // namespace gb
