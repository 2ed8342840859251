// The kernel of every factory at BackendSelect: goes on to the backend that the device option names.
#pragma once

#include <optional>

#include "core/tensor_options.h"
#include "dispatcher/library.h"
#include "ops/common/operator.h"

namespace gb {

using OptDtype = std::optional<ScalarType>;
using OptLayout = std::optional<Layout>;
using OptDevice = std::optional<Device>;
using OptBool = std::optional<bool>;
using OptFormat = std::optional<MemoryFormat>;

namespace detail {
inline void find_device(const OptDevice& argument, Device& device) {
  if (argument) device = *argument;
}
template <class T>
void find_device(const T&, Device&) {}
}  // namespace detail

// m.impl("zeros", GB_FN((BackendSelect<&zeros_op>::run)));
template <auto* op, class Handle = std::remove_cvref_t<decltype(op())>>
struct BackendSelect;
template <auto* op, class... A>
struct BackendSelect<op, TypedOperatorHandle<Tensor(A...)>> {
  static Tensor run(A... args) {
    Device device(kCPU);
    (detail::find_device(args, device), ...);
    // The last thing it does, with the arguments it was given: the kernel below takes over this frame.
    GB_RETURN_REDISPATCH(op(), DispatchKeySet(dense_key(device.type())), args...);
  }
};

// What a free function does with options.requires_grad(), which is not part of any schema.
inline Tensor finish(Tensor made, const TensorOptions& options) {
  if (options.requires_grad_opt().value_or(false)) made.set_requires_grad(true);
  return made;
}

}  // namespace gb
