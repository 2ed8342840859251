// The LM head: Linear(in -> out) and softmax as one kernel, or Linear and the cross-entropy loss. The entry points, and
// the ladder of kernels behind them (README.md).
//
//   z = x W^T + b            x [rows, in], W [out, in], b [out], z [rows, out]: the logits
//   lm_head                  p = softmax(z)                              z is never in memory
//     backward               dz = p (dp - sum over the row of p dp)      nor is dz [rows, out]:
//                            dx = dz W, dW = dz^T x, db = the column sums of dz
//   linear_cross_entropy     loss = logsumexp(z) - z[target]             neither z nor p is in memory
//     backward               dz = (e^(z - logsumexp) - [j == target]) dloss, z computed again; dx, dW, db from it
//
// All matrices are contiguous. Dtypes: Float, Double, Half, BFloat16 (else NotImplementedError); half types are
// computed in float and each result is rounded once. Float is multiplied as float, unless allow_tf32. rows, in or out
// of 0 are the caller's to handle, except rows == 0 in a forward, which launches nothing. A row of z that holds a NaN
// or +inf, or -inf only, gives NaN, as in softmax. Chapter: docs/en/theory/04-kernels.md
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/scalar_type.h"
#include "kernels/cuda/ladder.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

// What all four calls have.
struct LmHeadCall {
  ScalarType dtype;
  int64_t rows, in, out;
  const void* x;             // [rows, in]
  const void* weight;        // [out, in]
  bool allow_tf32 = false;   // Float only
  void* scratch = nullptr;   // lm_head_scratch(args) bytes of device memory, at a multiple of 256
  StreamHandle stream;
};

struct LmHeadArgs : LmHeadCall {
  const void* bias;  // [out] or null
  void* p;           // [rows, out]; written
};

struct LmHeadBackwardArgs : LmHeadCall {
  const void* p;       // [rows, out], what forward gave
  const void* grad_p;  // [rows, out]
  void* grad_x;        // [rows, in]; written, like those below
  void* grad_weight;   // [out, in]
  void* grad_bias;     // [out] or null: not wanted
};

// losses, logsumexp and their gradients are of the type that dtype is computed in: Double for Double, else Float.
struct LinearCrossEntropyArgs : LmHeadCall {
  const void* bias;       // [out] or null
  const int64_t* target;  // [rows], each of 0 ... out - 1 or ignore_index: the caller checks
  int64_t ignore_index;
  void* loss;       // [rows]; written. 0 where the target is ignore_index
  void* logsumexp;  // [rows]; written
};

struct LinearCrossEntropyBackwardArgs : LmHeadCall {
  const void* bias;
  const int64_t* target;
  int64_t ignore_index;
  const void* logsumexp;     // [rows], what forward gave
  const void* grad_loss;     // of row r: grad_loss[r * grad_loss_stride]
  int64_t grad_loss_stride;  // 1, or 0: one for all rows
  void* grad_x;              // as in LmHeadBackwardArgs
  void* grad_weight;
  void* grad_bias;
};

// Each runs the rung that gb::backends::cuda::set_lm_head_rung or GB_LM_HEAD_RUNG names (kernels/cuda/backends.h), or
// the next one below that takes the call. Without a choice: the best for the shape.
void lm_head(const LmHeadArgs& args);
void lm_head(const LmHeadBackwardArgs& args);
void lm_head(const LinearCrossEntropyArgs& args);
void lm_head(const LinearCrossEntropyBackwardArgs& args);

// Bytes of scratch memory that the rung needs which lm_head(args) would run now.
size_t lm_head_scratch(const LmHeadArgs& args);
size_t lm_head_scratch(const LmHeadBackwardArgs& args);
size_t lm_head_scratch(const LinearCrossEntropyArgs& args);
size_t lm_head_scratch(const LinearCrossEntropyBackwardArgs& args);

// One of the four computations of a rung.
template <class Args>
struct LmHeadKernel {
  void (*run)(const Args&);         // rows, in and out are not 0; what takes() refuses is undefined
  bool (*takes)(const Args&);
  size_t (*scratch)(const Args&);   // bytes
};

struct LmHeadRung {
  const char* name;  // what GB_LM_HEAD_RUNG says
  const char* file;  // where to read it
  LmHeadKernel<LmHeadArgs> forward;
  LmHeadKernel<LmHeadBackwardArgs> backward;
  LmHeadKernel<LinearCrossEntropyArgs> loss;
  LmHeadKernel<LinearCrossEntropyBackwardArgs> loss_backward;
  bool host_runner;  // true: also runs on the host, under kernels/cuda/simt
};

Ladder<LmHeadRung> lm_head_rungs();  // lowest first, numbered from 1; the lowest takes everything

// The number of the rung that lm_head(args) runs.
size_t lm_head_rung_for(const LmHeadArgs& args);
size_t lm_head_rung_for(const LmHeadBackwardArgs& args);
size_t lm_head_rung_for(const LinearCrossEntropyArgs& args);
size_t lm_head_rung_for(const LinearCrossEntropyBackwardArgs& args);

}  // namespace gb::cuda
