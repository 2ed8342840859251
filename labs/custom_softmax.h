// Way 3: softmax once more, as an operator of one's own: lynx_cortex::softmax.
#pragma once

#include "labs/options.h"
#include "library/custom_op.h"

namespace gb::labs {

// Registers lynx_cortex::softmax with forward, fake kernel, setup_context (saves the output) and backward.
// The operator lives as long as the result.
CustomOpDef register_custom_softmax();

// Prints the table the registration leaves, gradcheck, the comparison with aten::softmax, and a wrong backward caught.
void show_custom_softmax(const CustomOpDef& op, const Options& options);

}  // namespace gb::labs
