// Moving elements: copy_, clone, contiguous, to, detach, item, fill_, zero_.
//
// copy_ is the one that moves: it broadcasts its source, converts between dtypes and crosses devices. The
// others are made of it: clone makes a new tensor of the same strides (Preserve) or of row-major ones
// (Contiguous); to and _to_copy change dtype or device, and to returns the tensor itself where nothing
// changes. detach moves nothing: the result shares data and version counter and has no history. Reading
// order: copy.cc, cpu.cc, across_devices.cc, clone.cc, to.cc, detach.cc, item.cc, fill.cc; autograd.cc.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

Tensor clone(const Tensor& self, std::optional<MemoryFormat> memory_format = {});
Tensor detach(const Tensor& self);

using CopyOp_ = TypedOperatorHandle<Tensor&(Tensor&, const Tensor&, bool)>;
using CloneOp = TypedOperatorHandle<Tensor(const Tensor&, std::optional<MemoryFormat>)>;
using ToCopyOp = TypedOperatorHandle<Tensor(const Tensor&, std::optional<ScalarType>, std::optional<Layout>,
                                            std::optional<Device>, std::optional<bool>, bool,
                                            std::optional<MemoryFormat>)>;
using DetachOp = TypedOperatorHandle<Tensor(const Tensor&)>;
using DetachOp_ = TypedOperatorHandle<Tensor&(Tensor&)>;
using FillOp_ = TypedOperatorHandle<Tensor&(Tensor&, const Scalar&)>;
using ZeroOp_ = TypedOperatorHandle<Tensor&(Tensor&)>;

const CopyOp_& copy__op();
const CloneOp& clone_op();
const ToCopyOp& _to_copy_op();
const DetachOp& detach_op();
const DetachOp_& detach__op();
const FillOp_& fill__op();
const ZeroOp_& zero__op();
inline const auto& fill_tensor__op() { return operator_of<"aten::fill_.Tensor", Tensor&(Tensor&, const Tensor&)>(); }

// What every copy_ kernel checks first: defined, broadcastable, no overlap.
void check_copy(const Tensor& self, const Tensor& src);
// For backends other than the CPU: copies between two devices through DeviceHooks. Dtypes are converted on
// the source's side and broadcasting is done on self's, each by that device's own copy_.
void copy_across_devices(const Tensor& self, const Tensor& src, bool non_blocking = false);

}  // namespace gb
