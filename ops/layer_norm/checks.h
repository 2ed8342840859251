// What layer_norm demands of its operands, and the sizes it works on. Throws before anything is made.
#pragma once

#include "core/tensor.h"

namespace gb {

struct LayerNormSizes {
  LayerNormSizes(const Tensor& input, IntArrayRef normalized_shape, const std::optional<Tensor>& weight,
                 const std::optional<Tensor>& bias, const char* op);
  int64_t rows = 1, n = 1;          // input as [rows, n]
  std::vector<int64_t> statistics;  // of mean and rstd: [..., 1, ..., 1]
};

// The rest that the backward demands.
void check_layer_norm_gradient(const LayerNormSizes& sizes, const Tensor& grad_out, const Tensor& input,
                               const Tensor& mean, const Tensor& rstd);

}  // namespace gb
