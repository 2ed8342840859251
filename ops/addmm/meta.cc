#include "dispatcher/library.h"
#include "ops/addmm/addmm.h"
#include "ops/addmm/checks.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

Tensor addmm_meta(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                  const Scalar& alpha) {
  check_addmm(self, mat1, mat2, beta, alpha);
  return empty_on(mat1.device(), {mat1.sizes()[0], mat2.sizes()[1]}, mat1.scalar_type());
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("addmm", GB_FN(addmm_meta)); }

}  // namespace gb
