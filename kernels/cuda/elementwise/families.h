// The files that unary and binary hand their families of operations to, one .cu each, so that they compile side
// by side. The dtype has been checked: floating, and for power and arithmetic also the integers they have.
#pragma once

#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {

void unary_function(UnaryOp op, ScalarType dtype, void* out, const void* a, const Space<2>& space,
                    StreamHandle stream);

void arithmetic(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b, const Space<3>& space,
                ScalarArg alpha, StreamHandle stream);
void comparison(BinaryOp op, ScalarType dtype, bool* out, const void* a, const void* b, const Space<3>& space,
                StreamHandle stream);
void power(ScalarType dtype, void* out, const void* a, const void* b, const Space<3>& space, StreamHandle stream);
void gradient(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b, const Space<3>& space,
              ScalarArg alpha, StreamHandle stream);

}  // namespace gb::cuda
