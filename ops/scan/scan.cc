#include "ops/scan/scan.h"

#include "dispatcher/library.h"
#include "kernels/cpu/cumsum.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/gather/checks.h"
#include "ops/scan/plan.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) { m.def("cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"); }

Tensor cumsum(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  GB_RETURN_CALL(cumsum_op(), self, dim, dtype);
}
Tensor Tensor::cumsum(int64_t dim, std::optional<ScalarType> dtype) const {
  GB_RETURN_CALL(cumsum_op(), *this, dim, dtype);
}

ScalarType cumsum_dtype(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  check_defined(self, "cumsum", "self");
  maybe_wrap_dim(dim, self.dim(), "cumsum");
  return dtype.value_or(self.is_floating_point() ? self.scalar_type() : kLong);
}

namespace {

Tensor cumsum_meta(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return empty_on(self.device(), self.sizes(), cumsum_dtype(self, dim, dtype));
}

Tensor cumsum_cpu(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  const ScalarType asked = cumsum_dtype(self, dim, dtype), summed = isFloatingType(asked) ? asked : kLong;
  const Tensor input = self.to(asked).to(summed), result = empty_cpu(self.sizes(), summed);
  const int64_t at = maybe_wrap_dim(dim, self.dim(), "cumsum");
  cpu::Dims<2> others;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (d != at) others.push(self.size(d), {stride_or_one(result, d), stride_or_one(input, d)});
  cpu::cumsum(summed, result.mutable_data_ptr(), input.const_data_ptr(), size_or_one(self, at),
              stride_or_one(result, at), stride_or_one(input, at), others);
  return result.to(asked);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("cumsum", GB_FN(cumsum_cpu)); }
GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("cumsum", GB_FN(cumsum_meta)); }

}  // namespace gb
