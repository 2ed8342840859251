#include "ops/bmm/bmm.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("bmm(Tensor self, Tensor mat2) -> Tensor");
  m.def("baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
  m.def(
      "baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
      "Tensor(a!)");
}

Tensor bmm(const Tensor& self, const Tensor& mat2) { GB_RETURN_CALL(bmm_op(), self, mat2); }
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
               const Scalar& alpha) {
  GB_RETURN_CALL(baddbmm_op(), self, batch1, batch2, beta, alpha);
}
Tensor Tensor::bmm(const Tensor& mat2) const { GB_RETURN_CALL(bmm_op(), *this, mat2); }
Tensor Tensor::baddbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                       const Scalar& alpha) const {
  GB_RETURN_CALL(baddbmm_op(), *this, batch1, batch2, beta, alpha);
}
Tensor& Tensor::baddbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                         const Scalar& alpha) const {
  GB_RETURN_CALL(baddbmm__op(), const_cast<Tensor&>(*this), batch1, batch2, beta, alpha);
}

}  // namespace gb
