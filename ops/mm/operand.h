// A matrix as cpu::gemm takes it: a pointer and two strides, so that a transposed view costs nothing.
#pragma once

#include "core/tensor.h"
#include "kernels/cpu/gemm.h"

namespace gb {

// Holds the tensor that the pointer looks into: the operand itself, or a contiguous copy of one that has no
// unit stride.
struct GemmOperand {
  explicit GemmOperand(const Tensor& t)
      : tensor(cpu::gemm_accepts(t.sizes()[0], t.sizes()[1], t.strides()[0], t.strides()[1])
                   ? t
                   : t.contiguous()) {}
  operator cpu::ConstMatrix() const {
    return {tensor.const_data_ptr(), tensor.strides()[0], tensor.strides()[1]};
  }

  Tensor tensor;
};

}  // namespace gb
