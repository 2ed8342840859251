// where, masked_fill and clamp_ but for the arithmetic, which each device brings (null: Meta); the counterpart of
// ops/common/binary_op.h for operators with three inputs. Everything is checked before the result exists or is
// written.
#pragma once

#include "core/tensor.h"
#include "kernels/cpu/strided.h"
#include "ops/common/binary_op.h"
#include "ops/pointwise/pointwise.h"

namespace gb {

// out = condition ? a : b over a space of the four.
using ChoiceKernel = void(ScalarType dtype, void* out, const bool* condition, const void* a, const void* b,
                          const cpu::Strided<4>& space, Device device);

Tensor where_by(ChoiceKernel* kernel, const Tensor& condition, const Tensor& self, const Tensor& other);
Tensor masked_fill_by(ChoiceKernel* kernel, const Tensor& self, const Tensor& mask, const Tensor& value);
Tensor& masked_fill_by_(ChoiceKernel* kernel, Tensor& self, const Tensor& mask, const Tensor& value);

Tensor& clamp_by_(BinaryKernel* kernel, Tensor& self, OptionalTensor min, OptionalTensor max);
// The number as a wrapped 0-dim tensor, where there is one.
std::optional<Tensor> wrapped_or_none(OptionalScalar number);

}  // namespace gb
