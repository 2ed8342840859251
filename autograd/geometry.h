// Geometry: sizes, strides and offset of a tensor, without the tensor. Source: ATen/TensorGeometry.h.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace gb::autograd {

struct Geometry {
  Geometry() = default;
  explicit Geometry(const Tensor& t)
      : sizes(t.sizes().vec()), strides(t.strides().vec()), offset(t.storage_offset()) {}

  // Elements from the start of the storage to behind the last one.
  int64_t reach() const {
    int64_t last = offset;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == 0) return 0;
      last += (sizes[d] - 1) * strides[d];
    }
    return last + 1;
  }

  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
};

}  // namespace gb::autograd
