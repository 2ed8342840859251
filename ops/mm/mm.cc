#include "ops/mm/mm.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) { m.def("mm(Tensor self, Tensor mat2) -> Tensor"); }

const TypedOperatorHandle<Tensor(const Tensor&, const Tensor&)>& mm_op() {
  static const auto op =
      Dispatcher::singleton().findSchemaOrThrow("aten::mm", "").typed<Tensor(const Tensor&, const Tensor&)>();
  return op;
}

Tensor mm(const Tensor& self, const Tensor& mat2) { GB_RETURN_CALL(mm_op(), self, mat2); }
Tensor Tensor::mm(const Tensor& mat2) const { GB_RETURN_CALL(mm_op(), *this, mat2); }

}  // namespace gb
