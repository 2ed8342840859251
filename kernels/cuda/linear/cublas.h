// cuBLAS as the second way to a matrix product: the default where it is found and rung 13 is not as fast, and the library to measure ourselves
// against. Loaded at run time.
//
// cuBLAS is 500 MB, so it is not linked: the first call opens libcublas.so.13 (the major version of the
// toolkit that built this program), looking in this order:
//   1. $GB_CUBLAS, a path to the library; when it is set, nowhere else
//   2. the loader's own places (LD_LIBRARY_PATH, ld.so.conf)
//   3. $CUDA_PATH, /usr/local/cuda, /opt/glassbox/cuda-13.0: lib64 and lib
//   4. torch's wheels: lib/python3*/site-packages/nvidia/cu13/lib beside each python3 of $PATH
// Default math mode: float is computed as float (with allow_tf32 in TF32), half types are summed in float.
// cuBLAS is column-major: the row-major d = a b is its d^T = b^T a^T. Every matrix must have a unit stride in
// one direction;
// what cuBLAS cannot take (other strides, k == 0, an activation) is left to the rungs below.
#pragma once

#include <string>

#include "kernels/cuda/linear/gemm.h"

namespace gb::cuda::cublas {

void gemm(const GemmArgs& args, StreamHandle stream);
bool takes(const GemmArgs& args);

bool is_available();  // is the library found?

// The file that is loaded ("/usr/local/cuda/lib/libcublas.so.13"). Throws NotImplementedError when there is
// none; the message lists the places and says how to set GB_CUBLAS.
std::string library_path();

}  // namespace gb::cuda::cublas
