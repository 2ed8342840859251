// The CUDA kernels of copy_ and fill_. copy_ gets every copy with a CUDA tensor on either side.
#include "core/error.h"
#include "dispatcher/library.h"
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/common/binary_op.h"
#include "ops/common/checks.h"
#include "ops/common/geometry.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

Tensor& copy__cuda(Tensor& self, const Tensor& src, bool non_blocking) {
  check_copy(self, src);
  if (self.is_same(src) || self.numel() == 0) return self;
  if (!(self.device() == src.device())) {
    copy_across_devices(self, src, non_blocking);
    return self;
  }
  const cuda::DeviceGuard guard(self.device());
  cuda::copy(self.scalar_type(), self.mutable_data_ptr(), src.scalar_type(), src.const_data_ptr(),
             elementwise_space<2>({&self, &src}), cuda::current_stream());
  return self;
}

Tensor& fill__cuda(Tensor& self, const Scalar& value) {
  if (self.numel() == 0) return self;
  const cuda::DeviceGuard guard(self.device());
  cuda::fill(self.scalar_type(), self.mutable_data_ptr(), to_scalar_arg(value), elementwise_space<1>({&self}),
             cuda::current_stream());
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("copy_", GB_FN(copy__cuda));
  m.impl("fill_.Scalar", GB_FN(fill__cuda));
}

}  // namespace gb
