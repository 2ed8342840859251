#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/mm/checks.h"
#include "ops/mm/mm.h"
#include "ops/mm/operand.h"

namespace gb {
namespace {

Tensor mm_cpu(const Tensor& self, const Tensor& mat2) {
  check_matrix_product(self, mat2, "mm");
  const int64_t m = self.sizes()[0], k = self.sizes()[1], n = mat2.sizes()[1];
  Tensor result = empty_cpu({m, n}, self.scalar_type());
  const GemmOperand a(self), b(mat2);
  cpu::gemm(self.scalar_type(), m, n, k, 1, a, b, 0, {result.mutable_data_ptr(), n, 1});
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("mm", GB_FN(mm_cpu)); }

}  // namespace gb
