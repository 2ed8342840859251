// empty_like, zeros_like, ones_like, full_like: the shape of another tensor. Nothing of its history: their
// slot at Autograd is a fallthrough.
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"
#include "ops/factories/factories.h"
#include "ops/factories/filled.h"

namespace gb {
namespace {

using LikeOp = TypedOperatorHandle<Tensor(const Tensor&, OptDtype, OptLayout, OptDevice, OptBool, OptFormat)>;
using FullLikeOp = TypedOperatorHandle<Tensor(const Tensor&, const Scalar&, OptDtype, OptLayout, OptDevice,
                                              OptBool, OptFormat)>;
const LikeOp& empty_like_op() {
  static const LikeOp op = find_operator<LikeOp>("aten::empty_like", "");
  return op;
}
const LikeOp& zeros_like_op() {
  static const LikeOp op = find_operator<LikeOp>("aten::zeros_like", "");
  return op;
}
const LikeOp& ones_like_op() {
  static const LikeOp op = find_operator<LikeOp>("aten::ones_like", "");
  return op;
}
const FullLikeOp& full_like_op() {
  static const FullLikeOp op = find_operator<FullLikeOp>("aten::full_like", "");
  return op;
}

Tensor empty_like_kernel(const Tensor& self, OptDtype dtype, OptLayout, OptDevice device, OptBool,
                         OptFormat format) {
  check_defined(self, "empty_like", "self");
  const auto options =
      TensorOptions(dtype.value_or(self.scalar_type())).device(device.value_or(self.device()));
  if (format.value_or(MemoryFormat::Preserve) == MemoryFormat::Contiguous)
    return empty(self.sizes(), options);
  return empty_strided(self.sizes(), elementwise_strides(self.sizes(), {&self}), options);
}

Tensor zeros_like_kernel(const Tensor& self, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin,
                         OptFormat format) {
  return filled(empty_like_op().call(self, dtype, layout, device, pin, format), 0);
}
Tensor ones_like_kernel(const Tensor& self, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin,
                        OptFormat format) {
  return filled(empty_like_op().call(self, dtype, layout, device, pin, format), 1);
}
Tensor full_like_kernel(const Tensor& self, const Scalar& value, OptDtype dtype, OptLayout layout,
                        OptDevice device, OptBool pin, OptFormat format) {
  return filled(empty_like_op().call(self, dtype, layout, device, pin, format), value);
}

OptFormat format_of(const TensorOptions& o, OptFormat format) {
  return format ? format : o.memory_format_opt();
}

Tensor call(const LikeOp& op, const Tensor& self, const TensorOptions& o, OptFormat format) {
  return finish(op.call(self, o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt(),
                        format_of(o, format)),
                o);
}

}  // namespace

#define GB_OPTIONS                                                                               \
  "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, " \
  "MemoryFormat? memory_format=None) -> Tensor"
GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("empty_like(Tensor self, " GB_OPTIONS);
  m.def("zeros_like(Tensor self, " GB_OPTIONS);
  m.def("ones_like(Tensor self, " GB_OPTIONS);
  m.def("full_like(Tensor self, Scalar fill_value, " GB_OPTIONS);
}
#undef GB_OPTIONS
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("empty_like", GB_FN(empty_like_kernel));
  m.impl("zeros_like", GB_FN(zeros_like_kernel));
  m.impl("ones_like", GB_FN(ones_like_kernel));
  m.impl("full_like", GB_FN(full_like_kernel));
}
GB_LIBRARY_IMPL(aten, Autograd, m) {
  for (const char* op : {"empty_like", "zeros_like", "ones_like", "full_like"}) {
    m.impl(op, CppFunction::makeFallthrough());
  }
}

Tensor empty_like(const Tensor& self, const TensorOptions& options, OptFormat format) {
  return call(empty_like_op(), self, options, format);
}
Tensor zeros_like(const Tensor& self, const TensorOptions& options, OptFormat format) {
  return call(zeros_like_op(), self, options, format);
}
Tensor ones_like(const Tensor& self, const TensorOptions& options, OptFormat format) {
  return call(ones_like_op(), self, options, format);
}
Tensor full_like(const Tensor& self, const Scalar& value, const TensorOptions& o, OptFormat format) {
  return finish(full_like_op().call(self, value, o.dtype_opt(), o.layout_opt(), o.device_opt(),
                                    o.pinned_memory_opt(), format_of(o, format)),
                o);
}

}  // namespace gb
