#include "tests/libtorch/dispatch_api_glassbox.h"
#include "tests/libtorch/random_boxing_of.h"

namespace gb::tests::boxing {

std::vector<Crossing> cross_glassbox(uint64_t seed) { return CrossingsOf<dispatch::GlassboxApi>(seed).run(); }

}  // namespace gb::tests::boxing
