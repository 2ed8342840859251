#include "dispatcher/library.h"
#include "ops/bmm/bmm.h"
#include "ops/bmm/checks.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

Tensor product_of(const Tensor& batch1, const Tensor& batch2) {
  return empty_on(batch1.device(), {batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2]},
                  batch1.scalar_type());
}

Tensor bmm_meta(const Tensor& self, const Tensor& mat2) {
  check_batches(self, mat2, "bmm");
  return product_of(self, mat2);
}
Tensor baddbmm_meta(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                    const Scalar& alpha) {
  check_baddbmm(self, batch1, batch2, beta, alpha);
  return product_of(batch1, batch2);
}
Tensor& baddbmm_meta_(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                      const Scalar& alpha) {
  check_baddbmm_(self, batch1, batch2, beta, alpha);
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("bmm", GB_FN(bmm_meta));
  m.impl("baddbmm", GB_FN(baddbmm_meta));
  m.impl("baddbmm_", GB_FN(baddbmm_meta_));
}

}  // namespace gb
