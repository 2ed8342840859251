// Stands in for gradients_by_libtorch.cc where LibTorch is not installed.
#include "labs/gradients_by_hand.h"

namespace gb::labs {

std::optional<HeadGradients> gradients_by_libtorch(const HeadProblem&) { return std::nullopt; }
const char* libtorch_version() { return ""; }

}  // namespace gb::labs
