// Built with -DNDEBUG, as the wheel is.
#include "tests/libtorch/dispatch_api_libtorch.h"
#include "tests/libtorch/random_boxing_of.h"

namespace gb::tests::boxing {

std::vector<Crossing> cross_libtorch(uint64_t seed) { return CrossingsOf<dispatch::LibTorchApi>(seed).run(); }

}  // namespace gb::tests::boxing
