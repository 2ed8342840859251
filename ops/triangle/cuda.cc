// As kernels.cc, on a GPU.
#include "dispatcher/library.h"
#include "kernels/cuda/index/triangle.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/triangle/plan.h"

namespace gb {
namespace {

void zero_outside(const Tensor& t, int64_t diagonal, bool lower) {
  if (t.numel() == 0) return;
  cpu::Dims<1> it;  // in row-major order, whatever the strides
  for (int64_t d = 0; d < t.dim(); ++d) it.push(t.size(d), {t.stride(d)});
  const cuda::DeviceGuard guard(t.device());
  cuda::zero_outside_triangle(t.scalar_type(), t.mutable_data_ptr(), it, t.size(-2), t.size(-1), diagonal, lower,
                              cuda::current_stream());
}

template <bool lower>
Tensor triangle_cuda(const Tensor& self, int64_t diagonal) {
  const Tensor result = triangle_result(self, lower).copy_(self);
  zero_outside(result, diagonal, lower);
  return result;
}
template <bool lower>
Tensor& triangle__cuda(Tensor& self, int64_t diagonal) {
  check_triangle_(self, lower);
  zero_outside(self, diagonal, lower);
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("tril", GB_FN(triangle_cuda<true>));
  m.impl("triu", GB_FN(triangle_cuda<false>));
  m.impl("tril_", GB_FN(triangle__cuda<true>));
  m.impl("triu_", GB_FN(triangle__cuda<false>));
}

}  // namespace gb
