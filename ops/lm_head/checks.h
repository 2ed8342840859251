// What the LM head's operators demand of their operands; each throws before anything is made.
#pragma once

#include "core/tensor.h"

namespace gb {

struct LmHeadSizes {
  LmHeadSizes(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const char* op);
  int64_t rows = 1, in, out;    // input as [rows, in]
  std::vector<int64_t> output;  // [..., out]
  bool is_empty() const { return rows == 0 || in == 0 || out == 0; }
};

// input [rows, in] and target int64 [rows], on one device.
void check_targets_fit(const Tensor& input, const Tensor& target, const char* op);

// `given`, of the sizes, dtype and device of what forward returned. `name`: the argument's.
void check_like_forward(const Tensor& given, IntArrayRef sizes, ScalarType dtype, Device device, const char* name,
                        const char* op);

// The dtype that `dtype` is computed in: Double for Double, else Float.
ScalarType computed_in(ScalarType dtype);

}  // namespace gb
