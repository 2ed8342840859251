// gather, scatter_add and embedding: the CUDA counterparts of kernels/cpu/{gather,embedding}.h, with the same
// spaces.
//
// A kernel cannot throw, so the check of the indices is a kernel of its own: the operator calls
// find_bad_index, copies the answer to the host (which waits for the GPU: that is the price of an error in
// place of a dead context, which is what PyTorch's device-side assert leaves), and calls the others only when
// it is clean. REQUIRES clean indices below.
#pragma once

#include "kernels/cpu/gather.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

using cpu::BadIndex;
using cpu::Strided;

// *bad = the first index (in row-major order of its space) outside [0, dim_size), or BadIndex{} where there
// is none. `bad` is device memory; it: the index alone.
void find_bad_index(BadIndex* bad, const int64_t* index, const Strided<1>& it, int64_t dim_size,
                    StreamHandle stream);

// The same for the targets of a loss, [rows] contiguous; ignore_index is good, wherever it lies.
void find_bad_target(BadIndex* bad, const int64_t* target, int64_t rows, int64_t classes, int64_t ignore_index,
                     StreamHandle stream);

// out[i] = in[i with coordinate `dim` replaced by index[i]]; it: out, in (stride 0 at `dim`), index.
// in's elements are dim_stride apart along dim. All seven dtypes.
void gather(ScalarType dtype, void* out, const void* in, const int64_t* index, const Strided<3>& it,
            int64_t dim_stride, StreamHandle stream);

// self[i with coordinate `dim` replaced by index[i]] += src[i]; it: self (stride 0 at `dim`), src, index.
// The floating dtypes, Int and Long. Where an index occurs twice the additions are atomic, their order is not
// fixed, and half types are rounded after each.
void scatter_add(ScalarType dtype, void* self, const void* src, const int64_t* index, const Strided<3>& it,
                 int64_t dim_stride, StreamHandle stream);

// out[i, :] = weight[indices[i], :]; out [n, dim] contiguous, weight's rows weight_row_stride apart, indices
// [n].
void embedding(ScalarType dtype, void* out, const void* weight, int64_t dim, int64_t weight_row_stride,
               const int64_t* indices, int64_t n, StreamHandle stream);

// grad_weight[indices[i], :] += grad[i, :] from zero, in the order of i, as kernels/cpu/embedding.h has it.
void embedding_dense_backward(ScalarType dtype, void* grad_weight, const void* grad, const int64_t* indices, int64_t n,
                              int64_t num_embeddings, int64_t dim, int64_t padding_idx, bool scale_grad_by_freq,
                              StreamHandle stream);

}  // namespace gb::cuda
