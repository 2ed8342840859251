// Random numbers drawn on the GPU: element i of a tensor, counted row by row, gets number first + i of the seed, which
// is the same number that the CPU draws (core/generator.h).
//
// Integers, Bernoulli's zeros and ones, and uniform numbers in [0, 1) are the CPU's bit for bit. Uniform numbers of
// another range and normal ones may differ in their last bit of float64, where a multiply and an add are one
// instruction on a GPU, and its logarithm and cosine are not libm's.
#pragma once

#include "core/drawing.h"
#include "core/scalar_type.h"
#include "kernels/cpu/strided.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

using cpu::Strided;

// it: out alone, in row-major order. All seven dtypes; what is drawn is converted as copy does it.
void fill_random(ScalarType dtype, void* out, const Strided<1>& it, uint64_t seed, uint64_t first,
                 const Drawing& drawing, StreamHandle stream);

}  // namespace gb::cuda
