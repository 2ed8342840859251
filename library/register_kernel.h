// register_kernel: what runs for the tensors of one device.
//
//   writes      CPU, CUDA, PrivateUse1, ...   the key of each device: `dense_key(device)`
//   and, once,  BackendSelect                 where the operator has no tensor argument
//
// Why there: below everything that is the same on all devices (autocast, autograd, versions, modes), so that a kernel
// only computes. The device's own key wins over CompositeExplicitAutograd, where custom_op puts the forward.
// Without a tensor argument nothing names a device, so all calls would reach the slot Undefined, and with it the
// forward. Then the kernel at BackendSelect reads the argument `device` (or the only one of type Device; None is the
// CPU) and goes on to that device's slot, as the factory functions do. An operator that has neither is refused.
// The kernel's results are checked against the schema after every call (no_alias.h).
// In PyTorch: CustomOpDef.register_kernel, _register_backend_select_dispatcher.
#pragma once

#include "library/no_alias.h"
#include "library/registration.h"

namespace gb {
namespace detail {

// Everything that is checked before a kernel goes in. Throws ValueError for Meta (that is a fake), for no device at
// all, one named twice, an operator with neither tensor nor device; Error where a device has a kernel already.
void check_kernel_devices(const OperatorHandle& op, ArrayRef<DeviceType> devices, const Place& at);
// The kernel at BackendSelect, for an operator without a tensor argument that has a Device and no such kernel yet.
void select_backend(Library& library, const OperatorHandle& op, const Place& at);

}  // namespace detail

// `f` has the C++ types of the schema (const Tensor&, int64_t, double, IntArrayRef, ...), and may take a DispatchKeySet
// first.
template <class F>
void register_kernel(Library& library, const char* op, ArrayRef<DeviceType> devices, F f,
                     Place at = {__builtin_FILE(), __builtin_LINE()}) {
  const OperatorHandle handle = detail::find_defined("register_kernel", op);
  detail::check_kernel_devices(handle, devices, at);
  const auto schema = std::make_shared<const FunctionSchema>(handle.schema());
  for (const DeviceType device : devices) {
    library.impl(op, dense_key(device), detail::checked_kernel(f, schema), at.file, at.line);
  }
  detail::select_backend(library, handle, at);
}

}  // namespace gb
