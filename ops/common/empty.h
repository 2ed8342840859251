// New tensors with uninitialised memory: where every operator's result comes from.
//
// No dispatch here: a kernel knows its device already. (The operator aten::empty, which a program calls, is
// in ops/factories/.) A Meta tensor has a Storage without memory, so that aliasing can still be asked about.
#pragma once

#include "core/tensor.h"

namespace gb {

// Contiguous. REQUIRES sizes >= 0 whose product of bytes fits (check_sizes, where they come from a caller).
Tensor empty_cpu(IntArrayRef sizes, ScalarType dtype);
// The same shape as `like`, without walking its dimensions twice: for kernels in a hurry. REQUIRES contiguous
// `like`.
Tensor empty_cpu_like_contiguous(const Tensor& like, ScalarType dtype);

// On any device (index filled in by its allocator); Meta too.
Tensor empty_on(Device device, IntArrayRef sizes, ScalarType dtype);
Tensor empty_strided_on(Device device, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype);

// In pinned host memory (core/device_hooks.h). NotImplementedError where no device has any.
Tensor empty_pinned(IntArrayRef sizes, ScalarType dtype);  // contiguous
Tensor empty_strided_pinned(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype);

// "Trying to create tensor with negative dimension", "Storage size calculation overflowed", and dtypes
// without storage; `op` names the caller.
void check_sizes_one_by_one(IntArrayRef sizes, ScalarType dtype, const char* op);
inline void check_sizes(IntArrayRef sizes, ScalarType dtype, const char* op) {
  int64_t n = static_cast<int64_t>(elementSize(dtype));
  bool suspicious = !isSupportedType(dtype);
  for (int64_t size : sizes) suspicious |= size < 0 || __builtin_mul_overflow(n, size, &n);
  if (suspicious) [[unlikely]]
    check_sizes_one_by_one(sizes, dtype, op);  // throws, or finds a size of 0 that makes all well
}
// The same for given strides, which must not be negative.
void check_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, const char* op);

}  // namespace gb
