// One step of AdamW or SGD for one parameter, in one pass over its memory: the CUDA counterparts of
// kernels/cpu/{adamw,sgd}.h, with the same arguments and the same arithmetic, up to fused multiply-adds.
// Floating dtypes, else NotImplementedError.
#pragma once

#include "kernels/cpu/adamw.h"
#include "kernels/cpu/sgd.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

using cpu::AdamWArrays;
using cpu::AdamWStep;
using cpu::SgdArrays;
using cpu::SgdStep;

void adamw(ScalarType dtype, const AdamWArrays& arrays, int64_t n, const AdamWStep& step, StreamHandle stream);
void sgd(ScalarType dtype, const SgdArrays& arrays, int64_t n, const SgdStep& step, StreamHandle stream);

}  // namespace gb::cuda
