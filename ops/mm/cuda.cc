// Any strides serve, so no operand is ever copied. Which rung of the ladder runs: kernels/cuda/linear/gemm.h.
#include "core/context.h"
#include "dispatcher/library.h"
#include "kernels/cuda/linear/gemm.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/empty.h"
#include "ops/mm/checks.h"
#include "ops/mm/mm.h"

namespace gb {
namespace {

Tensor mm_cuda(const Tensor& self, const Tensor& mat2) {
  check_matrix_product(self, mat2, "mm");
  const cuda::DeviceGuard guard(self.device());
  cuda::GemmArgs args;
  args.dtype = self.scalar_type();
  args.m = self.sizes()[0];
  args.k = self.sizes()[1];
  args.n = mat2.sizes()[1];
  args.allow_tf32 = globalContext().allowTF32CuBLAS();
  Tensor result = empty_on(self.device(), {args.m, args.n}, args.dtype);
  args.a = {self.const_data_ptr(), self.strides()[0], self.strides()[1]};
  args.b = {mat2.const_data_ptr(), mat2.strides()[0], mat2.strides()[1]};
  args.d = {result.mutable_data_ptr(), args.n, 1};
  cuda::gemm(args, cuda::current_stream());
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("mm", GB_FN(mm_cuda)); }

}  // namespace gb
