#include "ops/softmax/softmax.h"

#include <limits>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/reductions/reductions.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
  m.def("_softmax(Tensor self, int dim, bool half_to_float) -> Tensor");
  m.def(
      "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor");
  m.def("_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
  m.def("log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
  m.def("_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor");
  m.def(
      "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> "
      "Tensor");
}

Tensor softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  GB_RETURN_CALL(softmax_op(), self, dim, dtype);
}
Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float) {
  GB_RETURN_CALL(_softmax_op(), self, dim, half_to_float);
}
Tensor _softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim,
                              ScalarType input_dtype) {
  GB_RETURN_CALL(_softmax_backward_data_op(), grad_output, output, dim, input_dtype);
}
Tensor Tensor::softmax(int64_t dim, std::optional<ScalarType> dtype) const {
  GB_RETURN_CALL(softmax_op(), *this, dim, dtype);
}
Tensor _safe_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  GB_RETURN_CALL(_safe_softmax_op(), self, dim, dtype);
}

Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  GB_RETURN_CALL(log_softmax_op(), self, dim, dtype);
}
Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float) {
  GB_RETURN_CALL(_log_softmax_op(), self, dim, half_to_float);
}
Tensor _log_softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim,
                                  ScalarType input_dtype) {
  GB_RETURN_CALL(_log_softmax_backward_data_op(), grad_output, output, dim, input_dtype);
}
Tensor Tensor::log_softmax(int64_t dim, std::optional<ScalarType> dtype) const {
  GB_RETURN_CALL(log_softmax_op(), *this, dim, dtype);
}

namespace {

Tensor softmax_composite(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  check_defined(self, "softmax", "self");
  if (self.is_cuda() && self.scalar_type() == kHalf && dtype == kFloat) return _softmax(self, dim, true);
  return _softmax(dtype && *dtype != self.scalar_type() ? self.to(*dtype) : self, dim, false);
}

Tensor log_softmax_composite(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  check_defined(self, "log_softmax", "self");
  return _log_softmax(dtype && *dtype != self.scalar_type() ? self.to(*dtype) : self, dim, false);
}

// Explicit: its gradient is that of the softmax it returns, where a row of zeros takes none; that of the parts would be NaN.
Tensor safe_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  check_defined(self, "_safe_softmax", "self");
  const Tensor hidden = gb::all(self.eq(-std::numeric_limits<double>::infinity()), dim, /*keepdim=*/true);
  return gb::softmax(self, dim, dtype).masked_fill(hidden, 0.0);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("_safe_softmax", GB_FN(safe_softmax)); }
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("softmax.int", GB_FN(softmax_composite));
  m.impl("log_softmax.int", GB_FN(log_softmax_composite));
}

}  // namespace gb
