// to: another dtype or device. Composite: it returns self where nothing changes, else _to_copy, which has the
// gradient.
#include "core/device_hooks.h"
#include "core/error.h"
#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"
#include "ops/common/operator.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

using OptDtype = std::optional<ScalarType>;
using OptLayout = std::optional<Layout>;
using OptDevice = std::optional<Device>;
using OptFormat = std::optional<MemoryFormat>;

// "cuda" without index matches whichever CUDA device self is on.
bool is_on(const Tensor& self, OptDevice device) {
  return !device || self.device() == *device ||
         (!device->has_index() && device->type() == self.device().type());
}

// Does self's device read and write pinned host memory by itself?
bool can_pin_for(const Tensor& self) {
  DeviceHooks* hooks = self.is_cpu() ? nullptr : device_hooks(self.device().type());
  return hooks && hooks->pinned_allocator();
}

Tensor to_kernel(const Tensor& self, OptDtype dtype, OptLayout layout, OptDevice device,
                 std::optional<bool> pin_memory, bool non_blocking, bool copy, OptFormat memory_format) {
  check_defined(self, "to", "self");
  const bool laid_out =
      memory_format.value_or(MemoryFormat::Preserve) == MemoryFormat::Preserve || self.is_contiguous();
  if (!copy && (!dtype || *dtype == self.scalar_type()) && is_on(self, device) && laid_out) return self;
  GB_RETURN_CALL(_to_copy_op(), self, dtype, layout, device, pin_memory, non_blocking, memory_format);
}

Tensor to_dtype_layout(const Tensor& self, OptDtype dtype, OptLayout layout, OptDevice device,
                       std::optional<bool> pin_memory, bool non_blocking, bool copy,
                       OptFormat memory_format) {
  return to_kernel(self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format);
}
Tensor to_device(const Tensor& self, Device device, ScalarType dtype, bool non_blocking, bool copy,
                 OptFormat memory_format) {
  return to_kernel(self, dtype, {}, device, {}, non_blocking, copy, memory_format);
}
Tensor to_dtype(const Tensor& self, ScalarType dtype, bool non_blocking, bool copy, OptFormat memory_format) {
  return to_kernel(self, dtype, {}, {}, {}, non_blocking, copy, memory_format);
}

// A copy to the host that returns early needs pinned memory, as in PyTorch.
Tensor to_copy_kernel(const Tensor& self, OptDtype dtype, OptLayout, OptDevice device,
                      std::optional<bool> pin_memory, bool non_blocking, OptFormat memory_format) {
  check_defined(self, "_to_copy", "self");
  const ScalarType type = dtype.value_or(self.scalar_type());
  const Device where = is_on(self, device) ? self.device() : *device;
  check_sizes(self.sizes(), type, "_to_copy");
  const bool pinned = where.is_cpu() && (pin_memory.value_or(false) || (non_blocking && can_pin_for(self)));
  if (memory_format.value_or(MemoryFormat::Preserve) == MemoryFormat::Contiguous) {
    Tensor result = pinned ? empty_pinned(self.sizes(), type) : empty_on(where, self.sizes(), type);
    return result.copy_(self, non_blocking);
  }
  const auto strides = elementwise_strides(self.sizes(), {&self});
  Tensor result = pinned ? empty_strided_pinned(self.sizes(), strides, type)
                         : empty_strided_on(where, self.sizes(), strides, type);
  return result.copy_(self, non_blocking);
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def(
      "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
      "bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor");
  m.def(
      "to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
      "bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> "
      "Tensor(a)",
      GB_FN(to_dtype_layout));
  m.def(
      "to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, "
      "MemoryFormat? memory_format=None) -> Tensor(a)",
      GB_FN(to_device));
  m.def(
      "to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
      "MemoryFormat? memory_format=None) -> Tensor(a)",
      GB_FN(to_dtype));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("_to_copy", GB_FN(to_copy_kernel)); }

const ToCopyOp& _to_copy_op() {
  static const ToCopyOp op = find_operator<ToCopyOp>("aten::_to_copy", "");
  return op;
}

Tensor Tensor::to(const TensorOptions& options, bool non_blocking, bool copy) const {
  using Op = TypedOperatorHandle<decltype(to_dtype_layout)>;
  static const Op op = find_operator<Op>("aten::to", "dtype_layout");
  return op.call(*this, options.dtype_opt(), options.layout_opt(), options.device_opt(),
                 options.pinned_memory_opt(), non_blocking, copy, options.memory_format_opt());
}

Tensor Tensor::to(Device device, ScalarType dtype, bool non_blocking, bool copy) const {
  using Op = TypedOperatorHandle<decltype(to_device)>;
  static const Op op = find_operator<Op>("aten::to", "device");
  return op.call(*this, device, dtype, non_blocking, copy, std::nullopt);
}

Tensor Tensor::to(ScalarType dtype, bool non_blocking, bool copy) const {
  using Op = TypedOperatorHandle<decltype(to_dtype)>;
  static const Op op = find_operator<Op>("aten::to", "dtype");
  return op.call(*this, dtype, non_blocking, copy, std::nullopt);
}

}  // namespace gb
