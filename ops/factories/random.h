// Random tensors: rand (uniform in [0, 1)), randn (normal), and the in-place fills behind them.
//
// Numbers are drawn on the CPU, in row-major order, in double, then rounded to the tensor's dtype and copied
// to its device: one seed gives the same values everywhere. On Meta nothing is drawn. Limits: plain functions,
// not operators: a trace or a capture shows the empty and the copy_ they are made of, not the draw. In PyTorch
// they are operators with a `Generator?` argument.
#pragma once

#include "core/generator.h"
#include "core/tensor.h"

namespace gb {

// The generator of calls that name none. manual_seed sets its seed.
Generator& default_generator();
void manual_seed(uint64_t seed);

Tensor rand(IntArrayRef size, const TensorOptions& options = {});
Tensor rand(IntArrayRef size, Generator generator, const TensorOptions& options = {});
Tensor randn(IntArrayRef size, const TensorOptions& options = {});
Tensor randn(IntArrayRef size, Generator generator, const TensorOptions& options = {});

// In place; floating dtypes only. std >= 0; from <= to.
Tensor& normal_(Tensor& self, double mean = 0, double std = 1, std::optional<Generator> generator = {});
Tensor& uniform_(Tensor& self, double from = 0, double to = 1, std::optional<Generator> generator = {});

}  // namespace gb
