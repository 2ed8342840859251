// Kernels of a few lines for each of Hopper's instructions here, for kernels/cuda/cases/instruction_cases.h: they
// show that the host meaning and the GPU agree.
#pragma once

#include <cstdint>

#include "core/scalar_type.h"
#include "kernels/cuda/instructions/swizzle.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda::hopper_checks {

bool can_run();  // on the current device

// out: the bytes of shared memory, box[0] * box[1] * box[2] elements, after one tensor load of a box at `first`.
struct BoxCopy {
  ScalarType dtype;
  bool to_tf32;
  Swizzle swizzle;
  const void* tensor;  // [sizes[2], sizes[1], sizes[0]] with strides in elements
  int64_t sizes[3], strides[2];
  int box[3], first[3];
  void* out;
};
void load_box(const BoxCopy& copy);
// The box of `out` at `first` becomes box elements of `in`, as they lie in shared memory; what is over the edges is
// left out.
void store_box(const BoxCopy& copy, const void* in);

// out = in, n bytes, a multiple of 16, through shared memory.
void bulk_copy(void* out, const void* in, uint32_t n);

// out: the 32 lines of 16 bytes that stmatrix_trans writes; in: [32, 4] words, those of each lane.
void store_pieces(void* out, const void* in);

// d[64, n] += a[64, k] b[n, k]^T by wgmma; dtype Float: TF32. a and b contiguous along k, or with a_mn, b_mn along
// the other dimension, that is given as [k, 64] and [k, n]. k: 64 elements of half types, 32 of Float. n: 64, 200,
// 256.
struct Multiply {
  ScalarType dtype;
  bool a_mn, b_mn, a_in_registers;
  int n;
  const void *a, *b;
  float* d;  // [64, n]; before: what is added to
};
void multiply(const Multiply& args);

// out[i] = 2 * in[i] for `pieces` pieces of 256 floats: one warp fetches them in turn into two buffers, four warps
// double and store them: mbarriers, phases, and a named barrier of the four.
void ring(float* out, const float* in, int pieces);

// Of a cluster of two blocks: out[0..63] is what each block reads from the other's shared memory (its rank * 100 +
// i), out[64..191] what a load to both brought to each: in[0..63], twice. in: 64 floats.
void cluster_of_two(float* out, const float* in);

}  // namespace gb::cuda::hopper_checks
