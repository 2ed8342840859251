// Making tensors: empty, zeros, ones, full, their _like forms, scalar_tensor, arange, eye.
//
// A factory has no tensor argument to name a backend: its key set is what the thread includes, BackendSelect.
// The kernel there (backend_select.h) reads the device option and redispatches to that backend. Options left
// out: the default dtype (but full and arange follow their numbers), the CPU, no gradient. Reading order:
// backend_select.h, empty.cc, fill.cc, like.cc, ranges.cc; tensor.h, from_blob.h.
#pragma once

#include "core/tensor.h"

namespace gb {

Tensor empty(IntArrayRef size, const TensorOptions& options = {},
             std::optional<MemoryFormat> memory_format = {});
Tensor empty_strided(IntArrayRef size, IntArrayRef stride, const TensorOptions& options = {});
Tensor zeros(IntArrayRef size, const TensorOptions& options = {});
Tensor ones(IntArrayRef size, const TensorOptions& options = {});
Tensor full(IntArrayRef size, const Scalar& fill_value, const TensorOptions& options = {});
Tensor scalar_tensor(const Scalar& value, const TensorOptions& options = {});  // 0-dim

// The sizes of self, and its dtype, device and strides unless `options` say otherwise.
Tensor empty_like(const Tensor& self, const TensorOptions& options = {},
                  std::optional<MemoryFormat> memory_format = {});
Tensor zeros_like(const Tensor& self, const TensorOptions& options = {},
                  std::optional<MemoryFormat> memory_format = {});
Tensor ones_like(const Tensor& self, const TensorOptions& options = {},
                 std::optional<MemoryFormat> memory_format = {});
Tensor full_like(const Tensor& self, const Scalar& fill_value, const TensorOptions& options = {},
                 std::optional<MemoryFormat> memory_format = {});

// start, start + step, ... below end (above it where step is negative). int64 when all three are integers.
Tensor arange(const Scalar& end, const TensorOptions& options = {});
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options = {});
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options = {});
// n x m with ones on the diagonal.
Tensor eye(int64_t n, const TensorOptions& options = {});
Tensor eye(int64_t n, int64_t m, const TensorOptions& options = {});

}  // namespace gb
