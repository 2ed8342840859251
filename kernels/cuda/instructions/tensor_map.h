// A TensorMap: what the copy engine (tma.h) must know of a tensor in global memory to fetch boxes of it.
//
// A box of a tensor of up to three dimensions, innermost first: sizes, strides, and the size of a box. The engine
// finds the addresses, puts zeros where the box reaches over the tensor's edges, and leaves out what lies there
// when it stores. It lays the rows of the box one after the other in shared memory, *swizzled*: with a swizzle of
// 128 bytes, the 16-byte pieces of a row of 128 bytes are exchanged, piece p of row r to p ^ (r % 8). So both a row
// and a column of pieces lie in different banks. Exactly: bits 4 to 6 of the shared-memory address are xored with
// bits 7 to 9 (swizzle.h); hence such a box begins at a multiple of 1024.
//
// A map is made on the host and given to the kernel by value: `const __grid_constant__ TensorMap map`.
#pragma once

#include <cstdint>

#include "core/scalar_type.h"
#include "kernels/cuda/instructions/swizzle.h"

namespace gb::cuda {

struct TensorMapArgs {
  ScalarType dtype = kFloat;     // Float, Half, BFloat16
  bool to_tf32 = false;          // Float: a load rounds to TF32, to nearest even
  const void* data = nullptr;    // aligned to 16 bytes
  int rank = 2;                  // 2 or 3
  int64_t sizes[3] = {1, 1, 1};  // in elements, innermost first; the innermost has stride 1
  int64_t strides[2] = {0, 0};   // of the second and the third dimension, in elements; multiples of 16 bytes
  int box[3] = {1, 1,
                1};  // at most 256 of each; the innermost as many bytes as the swizzle (none: any multiple of 16)
  Swizzle swizzle = Swizzle::None;
};

// In the GPU build what the driver makes of it, opaque; in the host build TensorMapArgs itself.
struct alignas(128) TensorMap {
  uint64_t words[16];
};

// Can the copy engine take a matrix of these elements? Of the conditions on address and strides, for takes() of a
// rung.
bool can_map(ScalarType dtype, const void* data, int64_t size, int64_t stride);

// Throws ValueError that names the condition which is not met.
TensorMap make_tensor_map(const TensorMapArgs& args);

}  // namespace gb::cuda
