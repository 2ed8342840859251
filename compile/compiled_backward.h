// CompiledBackward: the compiled region as one node on the tape.
//
// The forward is generated code, so there is no tape inside. Backward runs the callable once more, eagerly,
// with recording on, and differentiates that: right for every callable whose eager gradients are right, at
// the price of one more forward. (A joint graph with a compiled backward will take its place: README,
// Limits.)
#pragma once

#include <vector>

#include "compile/capture_mode.h"

namespace gb::compiler {

// Hangs the node on `outputs`. `inputs`: what `fn` was called with; `lifted`: tensors that it holds.
void record_compiled_region(const std::vector<Tensor>& outputs, const TensorFunction& fn,
                            const std::vector<Tensor>& inputs, const std::vector<Tensor>& lifted);

}  // namespace gb::compiler
