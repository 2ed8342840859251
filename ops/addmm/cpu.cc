// The bias is copied into every row of the result first; the product is then added on top (beta scales inside
// gemm).
#include "dispatcher/library.h"
#include "kernels/cpu/copy.h"
#include "ops/addmm/addmm.h"
#include "ops/addmm/checks.h"
#include "ops/common/empty.h"
#include "ops/mm/operand.h"

namespace gb {
namespace {

cpu::ScalarArg factor(const Scalar& s) {
  return s.isFloatingPoint() ? cpu::ScalarArg(s.toDouble()) : cpu::ScalarArg(s.toLong());
}

Tensor addmm_cpu(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                 const Scalar& alpha) {
  const impl::SizesAndStrides bias = check_addmm(self, mat1, mat2, beta, alpha);
  const int64_t m = mat1.sizes()[0], k = mat1.sizes()[1], n = mat2.sizes()[1];
  const ScalarType dtype = mat1.scalar_type();
  Tensor result = empty_cpu({m, n}, dtype);
  if (!beta.equal(0)) {
    cpu::Dims<2> it;
    it.push(m, {n, bias.stride_at_unchecked(0)});
    it.push(n, {1, bias.stride_at_unchecked(1)});
    cpu::copy(dtype, result.mutable_data_ptr(), dtype, self.const_data_ptr(), it);
  }
  const GemmOperand a(mat1), b(mat2);
  cpu::gemm(dtype, m, n, k, factor(alpha), a, b, factor(beta), {result.mutable_data_ptr(), n, 1});
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("addmm", GB_FN(addmm_cpu)); }

}  // namespace gb
