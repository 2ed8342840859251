// from_blob: a tensor over memory that somebody else owns. Nothing is copied: writes show on both sides, and
// the memory must outlive every tensor that shares it, unless a deleter is given: it is called once, with
// `data`, when the last of them is gone. Source: ATen/ops/from_blob.h.
#pragma once

#include <functional>

#include "core/tensor.h"

namespace gb {

using BlobDeleter = std::function<void(void*)>;

// options: dtype (the default dtype without one) and device. Throws for negative sizes or strides, and for
// null data where there are elements.
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, const BlobDeleter& deleter,
                 const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const BlobDeleter& deleter,
                 const TensorOptions& options = {});

}  // namespace gb
