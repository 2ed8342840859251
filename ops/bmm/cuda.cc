// One call for the whole batch (kernels/cuda/linear/gemm.h). Any strides serve, so no operand is ever copied; self of
// baddbmm is read by its expanded strides.
#include "core/context.h"
#include "dispatcher/library.h"
#include "kernels/cuda/linear/gemm.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/bmm/bmm.h"
#include "ops/bmm/checks.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

cuda::ConstMatrix batch_of(const void* data, IntArrayRef strides) { return {data, strides[1], strides[2], strides[0]}; }

// The product of two batches; `args` has what is added to it.
Tensor product(cuda::GemmArgs args, const Tensor& batch1, const Tensor& batch2) {
  args.dtype = batch1.scalar_type();
  args.batch = batch1.sizes()[0];
  args.m = batch1.sizes()[1];
  args.k = batch1.sizes()[2];
  args.n = batch2.sizes()[2];
  args.allow_tf32 = globalContext().allowTF32CuBLAS();
  const cuda::DeviceGuard guard(batch1.device());
  Tensor result = empty_on(batch1.device(), {args.batch, args.m, args.n}, args.dtype);
  args.a = batch_of(batch1.const_data_ptr(), batch1.strides());
  args.b = batch_of(batch2.const_data_ptr(), batch2.strides());
  args.d = {result.mutable_data_ptr(), args.n, 1, args.m * args.n};
  cuda::gemm(args, cuda::current_stream());
  return result;
}

Tensor bmm_cuda(const Tensor& self, const Tensor& mat2) {
  check_batches(self, mat2, "bmm");
  return product({}, self, mat2);
}

Tensor baddbmm_cuda(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                    const Scalar& alpha) {
  const impl::SizesAndStrides expanded = check_baddbmm(self, batch1, batch2, beta, alpha);
  cuda::GemmArgs args;
  args.alpha = alpha.toDouble();
  args.beta = beta.toDouble();
  args.c = {self.const_data_ptr(), expanded.stride_at_unchecked(1), expanded.stride_at_unchecked(2),
            expanded.stride_at_unchecked(0)};
  return product(args, batch1, batch2);
}

// Through a new tensor: self may have any strides, and may be one of the factors.
Tensor& baddbmm__cuda(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                      const Scalar& alpha) {
  check_baddbmm_(self, batch1, batch2, beta, alpha);
  return self.copy_(baddbmm_cuda(self, batch1, batch2, beta, alpha));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("bmm", GB_FN(bmm_cuda));
  m.impl("baddbmm", GB_FN(baddbmm_cuda));
  m.impl("baddbmm_", GB_FN(baddbmm__cuda));
}

}  // namespace gb
