// The rungs of the linear ladder, each in a file of its name. Callers use gemm.h.
#pragma once

#include "kernels/cuda/linear/gemm.h"

namespace gb::cuda {

namespace linear_01_naive {
void gemm(const GemmArgs& args, StreamHandle stream);
}

}  // namespace gb::cuda
