// The CPU kernels of copy_ and fill_.
#include "dispatcher/library.h"
#include "kernels/cpu/copy.h"
#include "ops/common/binary_op.h"
#include "ops/common/checks.h"
#include "ops/common/geometry.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

Tensor& copy__cpu(Tensor& self, const Tensor& src, bool) {
  check_copy(self, src);
  if (self.is_same(src) || self.numel() == 0) return self;
  cpu::copy(self.scalar_type(), self.mutable_data_ptr(), src.scalar_type(), src.const_data_ptr(),
            elementwise_space<2>({&self, &src}));
  return self;
}

Tensor& fill__cpu(Tensor& self, const Scalar& value) {
  check_defined(self, "fill_", "self");
  if (self.numel() == 0) return self;
  cpu::fill(self.scalar_type(), self.mutable_data_ptr(), to_scalar_arg(value), elementwise_space<1>({&self}));
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("copy_", GB_FN(copy__cpu));
  m.impl("fill_.Scalar", GB_FN(fill__cpu));
}

}  // namespace gb
