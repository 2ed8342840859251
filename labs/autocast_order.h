// Why autocast stands above autograd: one linear(x, W, b), its product made in bfloat16 by a cast in two places.
//
//   above   as it is: AutocastCPU casts, calls again, and AutogradCPU records the casts and a product of bfloat16
//   below   the experiment: a DispatchMode casts at the mode key, after AutogradCPU recorded a product of float32
//
// Forward the two agree. Backward they part: below, the node has float32 copies of x and W, and is handed a gradient in
// bfloat16, for that is what came out; and no node stands for the casts, so nothing turns a gradient back into float32.
#pragma once

#include <string>

namespace gb::labs {

std::string show_autocast_order();

}  // namespace gb::labs
