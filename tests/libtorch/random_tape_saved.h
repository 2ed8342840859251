// What the saved tensors in the graph of a glassbox backward would answer, asked before it runs. For the rows of the table
// of known differences that speak of saved tensors: they excuse a refusal by LibTorch only where one of these would refuse
// in the same way.
#pragma once

#include "core/tensor.h"
#include "tests/libtorch/random_tape_player.h"

namespace gb::tests::tape {

// Fills in `refusals`, `unasked` and `stale_views` of the outcome. `accumulate`: it is backward(), of which the inputs' nodes run; of
// grad() they do only where another input lies beyond. Changes nothing: no view gets a new grad_fn.
void look_at_saved(const std::vector<Tensor>& roots, const std::vector<Tensor>& inputs, bool accumulate, Outcome& outcome);

}  // namespace gb::tests::tape
