#include "ops/addmm/addmm.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
}

const TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&)>&
addmm_op() {
  static const auto op =
      Dispatcher::singleton()
          .findSchemaOrThrow("aten::addmm", "")
          .typed<Tensor(const Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&)>();
  return op;
}

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
             const Scalar& alpha) {
  GB_RETURN_CALL(addmm_op(), self, mat1, mat2, beta, alpha);
}
Tensor Tensor::addmm(const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) const {
  GB_RETURN_CALL(addmm_op(), *this, mat1, mat2, beta, alpha);
}

}  // namespace gb
