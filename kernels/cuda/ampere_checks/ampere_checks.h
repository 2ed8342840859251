// One launch per instruction of cp_async.h and mma_sync.h, for the cases that hold its host meaning against a GPU
// (kernels/cuda/cases/ampere_cases.h). All pointers are device memory.
#pragma once

#include "core/scalar_type.h"

namespace gb::cuda::ampere_checks {

// 32 copies of `size` bytes (4, 8 or 16), of which lane i asks for 4 * (i % (size / 4 + 1)) bytes and gets zeros for
// the rest; in two groups, of which the older is waited for and stored first. out, in: [32, size / 4] floats
void copy(float* out, const float* in, int size);

// rows: [32, 8] halves, the lines that the lanes name. out: [32, 4, 2]: the halves of each lane's four words.
void ldmatrix(void* out, const void* rows, bool trans);

// d = c + a b, by one mma. a: [16, k], b: [k, 8], c, d: [16, 8]; k is 16 for halves, 8 for TF32 (kFloat)
void mma(ScalarType dtype, float* d, const void* a, const void* b, const float* c);

// out[i] = in[i] as TF32; 32 of them
void to_tf32(float* out, const float* in);

}  // namespace gb::cuda::ampere_checks
