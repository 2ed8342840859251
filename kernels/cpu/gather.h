// gather and scatter_add: memory moved by int64 indices, one per element.
//
// Every index is checked before anything is written; the first bad one is returned, and the operator turns it
// into an error that names it. Negative indices are out of bounds here, as in PyTorch. Built once, for the
// baseline processor: the time goes into memory, not arithmetic.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/strided.h"

namespace gb::cpu {

// The first index that is out of bounds; position counts the index space in row-major order. -1: none.
struct BadIndex {
  int64_t position = -1;
  int64_t value = 0;
  explicit operator bool() const { return position >= 0; }
};

// out[i] = in[i with coordinate `dim` replaced by index[i]], i over the index's space.
// it: operand 0 = out, 1 = in (stride 0 at `dim`), 2 = index. in has dim_size elements dim_stride apart along
// dim.
BadIndex gather(ScalarType dtype, void* out, const void* in, const int64_t* index, const Strided<3>& it,
                int64_t dim_size, int64_t dim_stride);

// self[i with coordinate `dim` replaced by index[i]] += src[i], in row-major order of i.
// it: operand 0 = self (stride 0 at `dim`), 1 = src, 2 = index.
BadIndex scatter_add(ScalarType dtype, void* self, const void* src, const int64_t* index,
                     const Strided<3>& it, int64_t dim_size, int64_t dim_stride);

}  // namespace gb::cpu
