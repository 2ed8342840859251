// The operands of a product as Hopper's rungs take them: tensor maps (instructions/tensor_map.h), fetched in tiles
// whose rows are 128 bytes.
//
// a [m, k] and b [k, n] play the same part: of each, one dimension is k and the other, mn, is m or n. Half types
// may have unit stride along either (Major::K, Major::MN), Float only along k: TF32 tiles cannot be transposed on
// the way into the tensor cores. A Float operand with unit stride along m or n, as in both products of a Linear's
// backward, is copied into scratch memory first, transposed.
#pragma once

#include <optional>

#include "kernels/cuda/instructions/tensor_map.h"
#include "kernels/cuda/instructions/wgmma.h"
#include "kernels/cuda/linear/gemm.h"
#include "kernels/cuda/linear/scratch.h"

namespace gb::cuda {

struct HopperOperand {
  ScalarType dtype;
  const void* data;
  Major major;
  int64_t mn, k;
  int64_t row_stride;           // of the dimension that is not contiguous, in elements
  int64_t batch, batch_stride;  // batch: 1 where all products use the same matrix

  // Tiles of `rows` of mn by 128 bytes of k; along mn, boxes of 128 bytes of mn by as many elements of k.
  TensorMap map(int rows, bool to_tf32) const;
};

// None where the copy engine cannot take it: no unit stride, or an address or a stride that is no multiple of 16
// bytes.
std::optional<HopperOperand> operand_a(const GemmArgs& args);
std::optional<HopperOperand> operand_b(const GemmArgs& args);

// Can the rungs multiply these with wgmma, on this device? Half types, and Float with allow_tf32.
bool hopper_takes(const GemmArgs& args);

// Both operands of what hopper_takes, with the copies that TF32 needs.
class HopperOperands {
 public:
  HopperOperands(const GemmArgs& args, StreamHandle stream);
  HopperOperand a, b;

 private:
  std::shared_ptr<void> copy_of_a_, copy_of_b_;
};

// out [batch, rows, out_stride] = in [batch, cols, in_stride] transposed: out[l][i][j] = in[l][j][i], i < rows, j <
// cols.
struct Transposition {
  float* out;
  const float* in;
  int64_t rows, cols, batch, out_stride, in_stride, out_batch_stride, in_batch_stride;
};
void transpose(const Transposition& t, StreamHandle stream);  // transpose.cu

}  // namespace gb::cuda
