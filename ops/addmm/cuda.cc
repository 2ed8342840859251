// The bias goes into the product's kernel as matrix c, read by its expanded strides.
#include "core/context.h"
#include "dispatcher/library.h"
#include "kernels/cuda/linear/gemm.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/addmm/addmm.h"
#include "ops/addmm/checks.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

Tensor addmm_cuda(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                  const Scalar& alpha) {
  const impl::SizesAndStrides bias = check_addmm(self, mat1, mat2, beta, alpha);
  const cuda::DeviceGuard guard(mat1.device());
  cuda::GemmArgs args;
  args.dtype = mat1.scalar_type();
  args.m = mat1.sizes()[0];
  args.k = mat1.sizes()[1];
  args.n = mat2.sizes()[1];
  args.alpha = alpha.toDouble();
  args.beta = beta.toDouble();
  args.allow_tf32 = globalContext().allowTF32CuBLAS();
  Tensor result = empty_on(mat1.device(), {args.m, args.n}, args.dtype);
  args.a = {mat1.const_data_ptr(), mat1.strides()[0], mat1.strides()[1]};
  args.b = {mat2.const_data_ptr(), mat2.strides()[0], mat2.strides()[1]};
  args.c = {self.const_data_ptr(), bias.stride_at_unchecked(0), bias.stride_at_unchecked(1)};
  args.d = {result.mutable_data_ptr(), args.n, 1};
  cuda::gemm(args, cuda::current_stream());
  return result;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("addmm", GB_FN(addmm_cuda)); }

}  // namespace gb
