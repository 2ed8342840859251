// where and masked_fill: schemas, kernels, entry points. Both choose by a bool tensor, with one kernel
// (kernels/cpu/where.h).
#include "kernels/cpu/where.h"

#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"
#include "ops/common/type_promotion.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/pointwise.h"

namespace gb {
namespace {

// `t` as a kernel on `device` reads it.
Tensor converted(const Tensor& t, ScalarType dtype, Device device) {
  return t.scalar_type() == dtype && t.device() == device ? t : t.to(device, dtype);
}

// out = condition ? a : b, which broadcast to out. `out` may be b.
void choose(ChoiceKernel* kernel, const Tensor& out, const Tensor& condition_, const Tensor& a_, const Tensor& b_) {
  if (!kernel || out.numel() == 0) return;
  const Tensor condition = converted(condition_, kBool, out.device()),
               a = converted(a_, out.scalar_type(), out.device()), b = converted(b_, out.scalar_type(), out.device());
  kernel(out.scalar_type(), out.mutable_data_ptr(), condition.const_data_ptr<bool>(), a.const_data_ptr(),
         b.const_data_ptr(), elementwise_space<4>({&out, &condition, &a, &b}), out.device());
}

// 0-dim CPU tensors, numbers most likely, go with any device; where both choices are such, the condition
// says.
Device device_of_choice(const Tensor& condition, const Tensor& self, const Tensor& other) {
  const auto goes_with_any = [](const Tensor& t) { return t.is_cpu() && t.dim() == 0; };
  const Device device = common_device(self, other, "where");
  if (goes_with_any(self) && goes_with_any(other)) return condition.device();
  if (!goes_with_any(condition)) check_same_device_as(condition, device, "where");
  return device;
}

}  // namespace

Tensor where_by(ChoiceKernel* kernel, const Tensor& condition, const Tensor& self, const Tensor& other) {
  check_defined(condition, "where", "condition");
  check_defined(self, "where", "self");
  check_defined(other, "where", "other");
  GB_CHECK_OR_THROW(
      condition.scalar_type() == kBool, Error,
      .what = fmt::format("where expected condition to be a boolean tensor, but got a tensor with dtype {}",
                          toString(condition.scalar_type())),
      .cause = "a condition is true or false", .repair = "compare: x.ne(0)", .chapter = chapters::kTensors);
  const Device device = device_of_choice(condition, self, other);
  const ScalarType dtype = result_type(self, other);
  const std::vector<int64_t> sizes = infer_size(condition.sizes(), infer_size(self.sizes(), other.sizes()));
  Tensor out =
      empty_strided_on(device, sizes, elementwise_strides(sizes, {&condition, &self, &other}), dtype);
  choose(kernel, out, condition, self, other);
  return out;
}

namespace {

void choose_cpu(ScalarType dtype, void* out, const bool* condition, const void* a, const void* b,
                const cpu::Strided<4>& space, Device) {
  cpu::where(dtype, out, condition, a, b, space);
}

template <ChoiceKernel* kernel>
Tensor where_kernel(const Tensor& condition, const Tensor& self, const Tensor& other) {
  return where_by(kernel, condition, self, other);
}

Tensor where_scalar_self(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return where_op().call(condition, wrapped_scalar_tensor(self), other);
}
Tensor where_scalar_other(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return where_op().call(condition, self, wrapped_scalar_tensor(other));
}
Tensor where_scalar(const Tensor& condition, const Scalar& self, const Scalar& other) {
  return where_op().call(condition, wrapped_scalar_tensor(self), wrapped_scalar_tensor(other));
}

// What masked_fill asks of its mask and value.
void check_masked(const Tensor& self, const Tensor& mask, const Tensor& value, const char* op) {
  check_defined(self, op, "self");
  check_defined(mask, op, "mask");
  check_defined(value, op, "value");
  GB_CHECK_OR_THROW(
      mask.scalar_type() == kBool, Error,
      .what = fmt::format("{}: masked_fill_ only supports boolean masks, but got mask with dtype {}", op,
                          toString(mask.scalar_type())),
      .cause = "a mask is true or false", .repair = "compare: x.ne(0)", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      value.dim() == 0, Error,
      .what = fmt::format("{}: masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                          "{} dimension(s).",
                          op, value.dim()),
      .cause = "one value fills all", .repair = "use where(mask, value, self)",
      .chapter = chapters::kTensors);
  check_same_device_as(mask, common_device(self, mask, op), op);
}

// A fraction is cut off where self holds integers; what is out of the dtype's range is refused.
void check_fits(const Scalar& value, ScalarType dtype) {
  switch (dtype) {
    case kInt: return void(value.toInt());
    case kLong: return void(value.toLong());
    case kFloat: return void(value.toFloat());
    case kHalf: return void(value.toHalf());
    default: return;
  }
}

}  // namespace

Tensor& masked_fill_by_(ChoiceKernel* kernel, Tensor& self, const Tensor& mask, const Tensor& value) {
  check_masked(self, mask, value, "masked_fill_");
  check_broadcasts_into(mask.sizes(), self.sizes(), "masked_fill_");
  check_no_internal_overlap(self, "masked_fill_");
  check_no_partial_overlap(self, mask, "masked_fill_");
  choose(kernel, self, mask, value, self);
  return self;
}
Tensor masked_fill_by(ChoiceKernel* kernel, const Tensor& self, const Tensor& mask, const Tensor& value) {
  check_masked(self, mask, value, "masked_fill");
  const std::vector<int64_t> sizes = infer_size(self.sizes(), mask.sizes());
  Tensor out = empty_on(self.device(), sizes, self.scalar_type());  // contiguous, whatever self's strides
  choose(kernel, out, mask, value, self);
  return out;
}

namespace {

template <ChoiceKernel* kernel>
Tensor& masked_fill__kernel(Tensor& self, const Tensor& mask, const Tensor& value) {
  return masked_fill_by_(kernel, self, mask, value);
}
template <ChoiceKernel* kernel>
Tensor masked_fill_kernel(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return masked_fill_by(kernel, self, mask, value);
}
Tensor masked_fill_scalar(const Tensor& self, const Tensor& mask, const Scalar& value) {
  check_fits(value, self.scalar_type());
  return masked_fill_op().call(self, mask, wrapped_scalar_tensor(value));
}
Tensor& masked_fill__scalar(Tensor& self, const Tensor& mask, const Scalar& value) {
  check_fits(value, self.scalar_type());
  return masked_fill__op().call(self, mask, wrapped_scalar_tensor(value));
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("where.self(Tensor condition, Tensor self, Tensor other) -> Tensor");
  m.def("where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor");
  m.def("where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor");
  m.def("where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor");
  m.def("masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor");
  m.def("masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor");
  m.def("masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)");
  m.def("masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("where.self", GB_FN(where_kernel<&choose_cpu>));
  m.impl("masked_fill.Tensor", GB_FN(masked_fill_kernel<&choose_cpu>));
  m.impl("masked_fill_.Tensor", GB_FN(masked_fill__kernel<&choose_cpu>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("where.self", GB_FN(where_kernel<nullptr>));
  m.impl("masked_fill.Tensor", GB_FN(masked_fill_kernel<nullptr>));
  m.impl("masked_fill_.Tensor", GB_FN(masked_fill__kernel<nullptr>));
}
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("where.ScalarSelf", GB_FN(where_scalar_self));
  m.impl("where.ScalarOther", GB_FN(where_scalar_other));
  m.impl("where.Scalar", GB_FN(where_scalar));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("masked_fill.Scalar", GB_FN(masked_fill_scalar));
  m.impl("masked_fill_.Scalar", GB_FN(masked_fill__scalar));
}

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  GB_RETURN_CALL(where_op(), condition, self, other);
}
Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other) {
  GB_RETURN_CALL(where_scalar_self_op(), condition, self, other);
}
Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other) {
  GB_RETURN_CALL(where_scalar_other_op(), condition, self, other);
}
Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other) {
  GB_RETURN_CALL(where_scalar_op(), condition, self, other);
}
Tensor Tensor::where(const Tensor& condition, const Tensor& other) const {
  GB_RETURN_CALL(where_op(), condition, *this, other);
}
Tensor Tensor::where(const Tensor& condition, const Scalar& other) const {
  GB_RETURN_CALL(where_scalar_other_op(), condition, *this, other);
}

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  GB_RETURN_CALL(masked_fill_scalar_op(), self, mask, value);
}
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  GB_RETURN_CALL(masked_fill_op(), self, mask, value);
}
Tensor Tensor::masked_fill(const Tensor& mask, const Scalar& value) const {
  GB_RETURN_CALL(masked_fill_scalar_op(), *this, mask, value);
}
Tensor Tensor::masked_fill(const Tensor& mask, const Tensor& value) const {
  GB_RETURN_CALL(masked_fill_op(), *this, mask, value);
}
Tensor& Tensor::masked_fill_(const Tensor& mask, const Scalar& value) const {
  GB_RETURN_CALL(masked_fill__scalar_op(), const_cast<Tensor&>(*this), mask, value);
}
Tensor& Tensor::masked_fill_(const Tensor& mask, const Tensor& value) const {
  GB_RETURN_CALL(masked_fill__op(), const_cast<Tensor&>(*this), mask, value);
}

}  // namespace gb
