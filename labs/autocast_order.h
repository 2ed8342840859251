// Why autocast stands above autograd: one linear(x, W, b), its product made in bfloat16 by a cast in two
// places.
//
//   above   as it is: AutocastCPU casts and calls again; AutogradCPU records casts and a bfloat16 product
//   below   the experiment: a DispatchMode casts at the mode key; AutogradCPU recorded a float32 product
//
// Forward the two agree. Backward they part. Below, the node keeps x and W in float32 (twice the memory) and
// is handed a gradient in bfloat16, for that is what came out: the products of its formula mix the two, which
// is an error. No node stands for the casts. Only where the casts are on during backward as well does it run:
// then the engine, which compares every gradient with the metadata of its edge (autograd/validate_outputs.h),
// casts back what the tape knows nothing of.
#pragma once

#include <string>

#include "dispatcher/dispatch_mode.h"

namespace gb::labs {

// The wrong place for the casts of a product: a mode sees a call when autograd has recorded it already.
struct CastBelowAutograd final : DispatchMode {
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override;
};

std::string show_autocast_order();

}  // namespace gb::labs
