#include "ops/addmm/checks.h"

#include <fmt/format.h>

#include "ops/common/checks.h"
#include "ops/expand/expand_geometry.h"
#include "ops/mm/checks.h"

namespace gb {
impl::SizesAndStrides check_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                                  const Scalar& beta, const Scalar& alpha) {
  check_defined(self, "addmm", "self");
  check_matrix_product(mat1, mat2, "addmm");
  GB_CHECK_OR_THROW(
      self.scalar_type() == mat2.scalar_type(), Error,
      .what = fmt::format("gb::addmm: self and mat2 must have the same dtype, but got {} and {}",
                          toString(self.scalar_type()), toString(mat2.scalar_type())),
      .cause = "matrix products do not promote their operands",
      .repair = "convert one: self.to(mat2.scalar_type())", .chapter = chapters::kTensors);
  check_same_device_as(self, mat1.device(), "addmm");
  check_factor("addmm", beta, "beta", self.scalar_type());
  check_factor("addmm", alpha, "alpha", self.scalar_type());
  return expand_geometry(self, {mat1.sizes()[0], mat2.sizes()[1]}, "addmm");
}

}  // namespace gb
