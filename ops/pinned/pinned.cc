#include "ops/pinned/pinned.h"

#include <fmt/format.h>

#include "core/device_hooks.h"
#include "core/error.h"
#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"

namespace gb {
namespace {

bool is_pinned_kernel(const Tensor& self, std::optional<Device>) {
  check_defined(self, "is_pinned", "self");
  if (!self.is_cpu()) return false;
  for (DeviceType type : {kCUDA, kPrivateUse1}) {
    DeviceHooks* hooks = device_hooks(type);
    if (hooks && hooks->is_pinned(self.storage().data())) return true;
  }
  return false;
}

Tensor pin_memory_kernel(const Tensor& self, std::optional<Device> device) {
  check_defined(self, "pin_memory", "self");
  return self.is_pinned(device) ? self : _pin_memory_op().call(self, device);
}

Tensor _pin_memory_kernel(const Tensor& self, std::optional<Device>) {
  check_defined(self, "pin_memory", "self");
  GB_CHECK_OR_THROW(self.is_cpu(), Error,
                    .what = fmt::format("pin_memory: cannot pin a tensor on {}: only dense CPU tensors can be pinned",
                                        self.device().str()),
                    .cause = "pinned memory is host memory", .repair = "copy it first: self.cpu().pin_memory()",
                    .chapter = chapters::kKernels);
  Tensor result = empty_strided_pinned(self.sizes(), elementwise_strides(self.sizes(), {&self}), self.scalar_type());
  return result.copy_(self);
}

void record_stream_kernel(Tensor& self, Stream s) {
  check_defined(self, "record_stream", "self");
  DeviceHooks* hooks = hooks_with_streams(self.device().type());
  GB_CHECK_OR_THROW(hooks, NotImplementedError,
                    .what = fmt::format("record_stream: not implemented for a tensor on {}", self.device().str()),
                    .cause = "work on this device is done when a call returns: it has no streams",
                    .repair = "leave the call out", .chapter = chapters::kKernels);
  hooks->record_stream(self.storage().data_ptr(), s);
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("is_pinned(Tensor self, Device? device=None) -> bool");
  m.def("pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", GB_FN(pin_memory_kernel));
  m.def("_pin_memory(Tensor self, Device? device=None) -> Tensor");
  m.def("record_stream(Tensor(a!) self, Stream s) -> ()");
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("is_pinned", GB_FN(is_pinned_kernel));
  m.impl("_pin_memory", GB_FN(_pin_memory_kernel));
  m.impl("record_stream", GB_FN(record_stream_kernel));
}
// The tensor's bytes stay as they are, so a leaf may be given, and no version is bumped.
GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("record_stream", CppFunction::makeFallthrough()); }
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("record_stream", CppFunction::makeFallthrough()); }

bool Tensor::is_pinned(std::optional<Device> device) const { return is_pinned_op().call(*this, device); }
Tensor Tensor::pin_memory(std::optional<Device> device) const { GB_RETURN_CALL(pin_memory_op(), *this, device); }
void Tensor::record_stream(Stream s) const { record_stream_op().call(const_cast<Tensor&>(*this), s); }

}  // namespace gb
