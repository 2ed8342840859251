// The mean of the rows' losses, over those whose target counts: what linear_cross_entropy gives in the end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/scalar_type.h"
#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

inline constexpr size_t kMeanLossScratch = 1024;  // bytes

struct MeanLossArgs {
  ScalarType dtype;
  void* mean;             // [], of dtype; NaN where no row counts
  void* count;            // [], of the type that dtype is computed in: the rows that count
  const void* loss;       // [rows], of that type; 0 where the target is ignore_index
  const int64_t* target;  // [rows]
  int64_t ignore_index, rows;
  void* scratch;  // kMeanLossScratch bytes of device memory, at a multiple of 16
  StreamHandle stream;
};

// Summed in double, in a fixed order: two runs agree bit for bit.
void mean_loss(const MeanLossArgs& args);

}  // namespace gb::cuda
