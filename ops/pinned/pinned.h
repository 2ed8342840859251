// Memory and streams: is_pinned, pin_memory, record_stream.
//
//   const Tensor batch = loaded.pin_memory();                        // a copy in pinned host memory
//   const Tensor x = batch.to(options, /*non_blocking=*/true);       // returns while the copy is on its way
//   x.record_stream(stream);                                         // x is used on that stream, too
//
// A device reads pinned memory by itself, so that a copy need not hold up the host; the block is not given out again
// before the copy is done. What is pinned and what a stream is, the backend says (core/device_hooks.h): without a
// device, pin_memory is NotImplementedError and is_pinned false. Names follow ATen/native/Memory.cpp.
#pragma once

#include "core/stream.h"
#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

inline const auto& is_pinned_op() {
  return operator_of<"aten::is_pinned", bool(const Tensor&, std::optional<Device>)>();
}
inline const auto& pin_memory_op() {
  return operator_of<"aten::pin_memory", Tensor(const Tensor&, std::optional<Device>)>();
}
inline const auto& _pin_memory_op() {
  return operator_of<"aten::_pin_memory", Tensor(const Tensor&, std::optional<Device>)>();
}
inline const auto& record_stream_op() { return operator_of<"aten::record_stream", void(Tensor&, Stream)>(); }

}  // namespace gb
