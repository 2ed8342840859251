// Elementwise kernels over a strided space: the CUDA counterparts of kernels/cpu/{binary,unary,where,copy}.h, with
// the same operations, the same spaces (Strided<N>, operand 0 is written, strides in elements, 0 = broadcast)
// and the same rules for dtypes, so that an operator builds its space once and hands it to either folder.
//
// Pointers are device pointers. All loops are those of loops.h; a file per family of operations makes functors
// for it, of functions.h. A space of more than 16 dimensions after Dims<N> has merged what it can is a
// ValueError; an unsupported dtype is a NotImplementedError; an empty space launches nothing.
#pragma once

#include "core/scalar_type.h"
#include "kernels/cpu/binary.h"
#include "kernels/cpu/scalar_arg.h"
#include "kernels/cpu/strided.h"
#include "kernels/cpu/unary.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

using cpu::BinaryOp;
using cpu::Dims;
using cpu::ScalarArg;
using cpu::Strided;
using cpu::UnaryOp;

// out = a (op) b; it: out, a, b, all of `dtype`, but a comparison writes bool. alpha multiplies b in Add and
// Sub, and is the threshold of ThresholdBackward.
void binary(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b, const Strided<3>& it,
            ScalarArg alpha, StreamHandle stream);

// out = f(a); it: out, a.
void unary(UnaryOp op, ScalarType dtype, void* out, const void* a, const Strided<2>& it, StreamHandle stream);

// out = condition ? a : b; it: out, condition, a, b.
void where(ScalarType dtype, void* out, const bool* condition, const void* a, const void* b, const Strided<4>& it,
           StreamHandle stream);

// dst = src, converted; it: dst, src. Both on the device of the stream, not overlapping.
void copy(ScalarType dst_dtype, void* dst, ScalarType src_dtype, const void* src, const Strided<2>& it,
          StreamHandle stream);

// dst = value, converted to dtype first.
void fill(ScalarType dtype, void* dst, ScalarArg value, const Strided<1>& it, StreamHandle stream);

}  // namespace gb::cuda
