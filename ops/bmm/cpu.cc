// One gemm per batch. self is copied into the result first; the product is then added on top (beta scales
// inside gemm).
#include "dispatcher/library.h"
#include "kernels/cpu/copy.h"
#include "kernels/cpu/gemm.h"
#include "ops/bmm/bmm.h"
#include "ops/bmm/checks.h"
#include "ops/common/binary_op.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

// A batch of matrices as cpu::gemm takes them: `t` itself, or a contiguous copy of one without a unit stride.
struct Batch {
  explicit Batch(const Tensor& t)
      : tensor(cpu::gemm_accepts(t.sizes()[1], t.sizes()[2], t.strides()[1], t.strides()[2])
                   ? t
                   : t.contiguous()) {}
  cpu::ConstMatrix operator[](int64_t i) const {
    const auto* start = static_cast<const char*>(tensor.const_data_ptr());
    return {start + i * tensor.strides()[0] * tensor.element_size(), tensor.strides()[1],
            tensor.strides()[2]};
  }
  Tensor tensor;
};

// result [b, m, n], contiguous.
void multiply(const Tensor& result, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
              const Scalar& alpha) {
  const int64_t m = result.sizes()[1], n = result.sizes()[2], k = batch1.sizes()[2];
  const Batch a(batch1), b(batch2);
  auto* out = static_cast<char*>(result.mutable_data_ptr());
  for (int64_t i = 0; i < result.sizes()[0]; ++i, out += m * n * result.element_size())
    cpu::gemm(result.scalar_type(), m, n, k, to_scalar_arg(alpha), a[i], b[i], to_scalar_arg(beta),
              {out, n, 1});
}

Tensor bmm_cpu(const Tensor& self, const Tensor& mat2) {
  check_batches(self, mat2, "bmm");
  Tensor result = empty_cpu({self.sizes()[0], self.sizes()[1], mat2.sizes()[2]}, self.scalar_type());
  multiply(result, self, mat2, 0, 1);
  return result;
}

Tensor baddbmm_cpu(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                   const Scalar& alpha) {
  const impl::SizesAndStrides expanded = check_baddbmm(self, batch1, batch2, beta, alpha);
  const int64_t m = batch1.sizes()[1], n = batch2.sizes()[2];
  Tensor result = empty_cpu({batch1.sizes()[0], m, n}, batch1.scalar_type());
  if (!beta.equal(0)) {
    cpu::Dims<2> it;
    it.push(batch1.sizes()[0], {m * n, expanded.stride_at_unchecked(0)});
    it.push(m, {n, expanded.stride_at_unchecked(1)});
    it.push(n, {1, expanded.stride_at_unchecked(2)});
    cpu::copy(result.scalar_type(), result.mutable_data_ptr(), self.scalar_type(), self.const_data_ptr(), it);
  }
  multiply(result, batch1, batch2, beta, alpha);
  return result;
}

// Through a new tensor: self may have any strides, and may be one of the factors.
Tensor& baddbmm_cpu_(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                     const Scalar& alpha) {
  check_baddbmm_(self, batch1, batch2, beta, alpha);
  return self.copy_(baddbmm_cpu(self, batch1, batch2, beta, alpha));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("bmm", GB_FN(bmm_cpu));
  m.impl("baddbmm", GB_FN(baddbmm_cpu));
  m.impl("baddbmm_", GB_FN(baddbmm_cpu_));
}

}  // namespace gb
