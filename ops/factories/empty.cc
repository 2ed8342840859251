// empty and empty_strided: memory without values. The two factories that a backend must bring; the others are
// made of them.
#include <fmt/format.h>

#include "core/error.h"
#include "ops/common/empty.h"
#include "ops/factories/backend_select.h"
#include "ops/factories/factories.h"

namespace gb {
namespace {

using EmptyOp = TypedOperatorHandle<Tensor(IntArrayRef, OptDtype, OptLayout, OptDevice, OptBool, OptFormat)>;
[[gnu::always_inline]] inline const EmptyOp& empty_op() {
  static const EmptyOp op = find_operator<EmptyOp>("aten::empty", "memory_format");
  return op;
}
using EmptyStridedOp =
    TypedOperatorHandle<Tensor(IntArrayRef, IntArrayRef, OptDtype, OptLayout, OptDevice, OptBool)>;
const EmptyStridedOp& empty_strided_op() {
  static const EmptyStridedOp op = find_operator<EmptyStridedOp>("aten::empty_strided", "");
  return op;
}

ScalarType dtype_or_default(OptDtype dtype) {
  if (!dtype) [[likely]]
    return get_default_dtype().toScalarType();
  return *dtype;
}

// In a function of its own: empty without it is in a hurry.
[[gnu::noinline, gnu::cold]] Tensor pinned(IntArrayRef size, std::optional<IntArrayRef> stride, ScalarType dtype,
                                           OptDevice device) {
  GB_CHECK_OR_THROW(!device || device->is_cpu(), Error,
                    .what = fmt::format("empty: cannot pin memory on {}: only dense CPU tensors can be pinned", device->str()),
                    .cause = "pinned memory is host memory", .repair = "leave pin_memory or the device out",
                    .chapter = chapters::kKernels);
  return stride ? empty_strided_pinned(size, *stride, dtype) : empty_pinned(size, dtype);
}

// One kernel for all devices: what differs is the allocator, and core/device_hooks.h knows that.
Tensor empty_kernel(IntArrayRef size, OptDtype dtype, OptLayout, OptDevice device, OptBool pin_memory, OptFormat) {
  const ScalarType type = dtype_or_default(dtype);
  check_sizes(size, type, "empty");
  if (pin_memory.has_value()) [[unlikely]] {
    if (*pin_memory) return pinned(size, {}, type, device);
  }
  if (!device || device->is_cpu()) return empty_cpu(size, type);
  return empty_on(*device, size, type);
}

Tensor empty_strided_kernel(IntArrayRef size, IntArrayRef stride, OptDtype dtype, OptLayout, OptDevice device,
                            OptBool pin_memory) {
  check_sizes_and_strides(size, stride, dtype_or_default(dtype), "empty_strided");
  if (pin_memory.value_or(false)) [[unlikely]]
    return pinned(size, stride, dtype_or_default(dtype), device);
  return empty_strided_on(device.value_or(Device(kCPU)), size, stride, dtype_or_default(dtype));
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def(
      "empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
      "device=None, "
      "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
  m.def(
      "empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, "
      "Device? device=None, bool? pin_memory=None) -> Tensor");
}
GB_LIBRARY_IMPL(aten, BackendSelect, m) {
  m.impl("empty.memory_format", GB_FN((BackendSelect<&empty_op>::run)));
  m.impl("empty_strided", GB_FN((BackendSelect<&empty_strided_op>::run)));
}
GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("empty.memory_format", GB_FN(empty_kernel));
  m.impl("empty_strided", GB_FN(empty_strided_kernel));
}
// Registered without CUDA too: then allocator_for says what is missing, which beats "no kernel".
GB_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("empty.memory_format", GB_FN(empty_kernel));
  m.impl("empty_strided", GB_FN(empty_strided_kernel));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("empty.memory_format", GB_FN(empty_kernel));
  m.impl("empty_strided", GB_FN(empty_strided_kernel));
}

Tensor empty(IntArrayRef size, const TensorOptions& o, std::optional<MemoryFormat> memory_format) {
  Tensor made = empty_op().call(size, o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt(),
                                memory_format ? memory_format : o.memory_format_opt());
  if (o.requires_grad()) made.set_requires_grad(true);
  return made;
}

Tensor empty_strided(IntArrayRef size, IntArrayRef stride, const TensorOptions& o) {
  return finish(empty_strided_op().call(size, stride, o.dtype_opt(), o.layout_opt(), o.device_opt(),
                                        o.pinned_memory_opt()),
                o);
}

}  // namespace gb
