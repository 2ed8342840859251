// zero_outside_triangle: what tril and triu do to a batch of matrices in place.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/strided.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

using cpu::Strided;

// it: the matrices in row-major order, each [rows, columns]. lower: the elements more than `diagonal` above the
// main diagonal become 0, else those less. All seven dtypes.
void zero_outside_triangle(ScalarType dtype, void* data, const Strided<1>& it, int64_t rows, int64_t columns,
                           int64_t diagonal, bool lower, StreamHandle stream);

}  // namespace gb::cuda
