// arange and eye: values computed on the CPU, then moved to where they are wanted; on Meta only the shape.
#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "ops/common/empty.h"
#include "ops/factories/factories.h"
#include "ops/factories/filled.h"

namespace gb {
namespace {

using ArangeOp = TypedOperatorHandle<Tensor(const Scalar&, const Scalar&, const Scalar&, OptDtype, OptLayout,
                                            OptDevice, OptBool)>;
const ArangeOp& arange_op() {
  static const ArangeOp op = find_operator<ArangeOp>("aten::arange", "start_step");
  return op;
}
using ArangeStartOp =
    TypedOperatorHandle<Tensor(const Scalar&, const Scalar&, OptDtype, OptLayout, OptDevice, OptBool)>;
const ArangeStartOp& arange_start_op() {
  static const ArangeStartOp op = find_operator<ArangeStartOp>("aten::arange", "start");
  return op;
}
using ArangeEndOp = TypedOperatorHandle<Tensor(const Scalar&, OptDtype, OptLayout, OptDevice, OptBool)>;
const ArangeEndOp& arange_end_op() {
  static const ArangeEndOp op = find_operator<ArangeEndOp>("aten::arange", "");
  return op;
}
using EyeOp = TypedOperatorHandle<Tensor(int64_t, int64_t, OptDtype, OptLayout, OptDevice, OptBool)>;
const EyeOp& eye_op() {
  static const EyeOp op = find_operator<EyeOp>("aten::eye", "m");
  return op;
}

int64_t arange_size(const Scalar& start, const Scalar& end, const Scalar& step) {
  const double from = start.toDouble(), to = end.toDouble(), by = step.toDouble();
  const std::string cause =
      fmt::format("start {}, end {}, step {}", to_string(start), to_string(end), to_string(step));
  GB_CHECK_OR_THROW(by != 0, Error, .what = "arange: step must be nonzero", .cause = cause,
                    .repair = "give a step above or below 0", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(std::isfinite(from) && std::isfinite(to) && std::isfinite(by), Error,
                    .what = "arange: unsupported range: a bound or the step is not finite", .cause = cause,
                    .repair = "give finite numbers", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(by > 0 ? to >= from : to <= from, Error,
                    .what = "arange: upper bound and lower bound inconsistent with step sign", .cause = cause,
                    .repair = "swap the bounds, or change the sign of the step",
                    .chapter = chapters::kTensors);
  const double count = std::ceil((to - from) / by);
  GB_CHECK_OR_THROW(count < 0x1p62, Error, .what = "arange: too many elements", .cause = cause,
                    .repair = "use a larger step", .chapter = chapters::kTensors);
  return static_cast<int64_t>(count);
}

Tensor arange_kernel(const Scalar& start, const Scalar& end, const Scalar& step, OptDtype dtype,
                     OptLayout layout, OptDevice device, OptBool pin) {
  const bool integral = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
  const int64_t n = arange_size(start, end, step);
  if (!dtype) dtype = integral ? kLong : get_default_dtype().toScalarType();
  const TensorOptions options = to_options(dtype, layout, device, pin);
  check_sizes({n}, *dtype, "arange");
  if (options.device().is_meta()) return empty({n}, options);
  AutoDispatchBelowADInplaceOrView guard;
  if (integral) {
    Tensor values = empty_cpu({n}, kLong);
    for (int64_t i = 0; i < n; ++i) values.data_ptr<int64_t>()[i] = start.toLong() + i * step.toLong();
    return values.to(options);
  }
  Tensor values = empty_cpu({n}, kDouble);
  for (int64_t i = 0; i < n; ++i) {
    values.data_ptr<double>()[i] = start.toDouble() + static_cast<double>(i) * step.toDouble();
  }
  return values.to(options);
}

Tensor arange_start_kernel(const Scalar& start, const Scalar& end, OptDtype dtype, OptLayout layout,
                           OptDevice device, OptBool pin) {
  return arange_kernel(start, end, 1, dtype, layout, device, pin);
}
Tensor arange_end_kernel(const Scalar& end, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return arange_kernel(0, end, 1, dtype, layout, device, pin);
}

Tensor eye_kernel(int64_t n, int64_t m, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin) {
  GB_CHECK_OR_THROW(n >= 0 && m >= 0, Error,
                    .what = fmt::format("eye: n and m must be at least 0, got {} and {}", n, m),
                    .cause = "they count rows and columns", .repair = "give sizes of at least 0",
                    .chapter = chapters::kTensors);
  const TensorOptions options = to_options(dtype, layout, device, pin);
  if (options.device().is_meta()) return empty({n, m}, options);
  check_sizes({n, m}, kDouble, "eye");
  AutoDispatchBelowADInplaceOrView guard;
  Tensor values = filled(empty_cpu({n, m}, kDouble), 0);
  for (int64_t i = 0; i < n && i < m; ++i) values.data_ptr<double>()[i * m + i] = 1;
  return values.to(options.dtype(options.dtype()));
}

}  // namespace

#define GB_OPTIONS \
  "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"
GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("arange(Scalar end, " GB_OPTIONS);
  m.def("arange.start(Scalar start, Scalar end, " GB_OPTIONS);
  m.def("arange.start_step(Scalar start, Scalar end, Scalar step=1, " GB_OPTIONS);
  m.def("eye.m(SymInt n, SymInt m, " GB_OPTIONS);
}
#undef GB_OPTIONS
GB_LIBRARY_IMPL(aten, BackendSelect, m) {
  m.impl("arange", GB_FN((BackendSelect<&arange_end_op>::run)));
  m.impl("arange.start", GB_FN((BackendSelect<&arange_start_op>::run)));
  m.impl("arange.start_step", GB_FN((BackendSelect<&arange_op>::run)));
  m.impl("eye.m", GB_FN((BackendSelect<&eye_op>::run)));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("arange", GB_FN(arange_end_kernel));
  m.impl("arange.start", GB_FN(arange_start_kernel));
  m.impl("arange.start_step", GB_FN(arange_kernel));
  m.impl("eye.m", GB_FN(eye_kernel));
}

Tensor arange(const Scalar& end, const TensorOptions& o) {
  return finish(
      arange_end_op().call(end, o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt()), o);
}
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& o) {
  return finish(arange_start_op().call(start, end, o.dtype_opt(), o.layout_opt(), o.device_opt(),
                                       o.pinned_memory_opt()),
                o);
}
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& o) {
  return finish(arange_op().call(start, end, step, o.dtype_opt(), o.layout_opt(), o.device_opt(),
                                 o.pinned_memory_opt()),
                o);
}
Tensor eye(int64_t n, const TensorOptions& options) { return eye(n, n, options); }
Tensor eye(int64_t n, int64_t m, const TensorOptions& o) {
  return finish(eye_op().call(n, m, o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt()), o);
}

}  // namespace gb
