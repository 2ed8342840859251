// Built with -DNDEBUG, as the wheel is.
#include "tests/libtorch/tape_api_libtorch.h"
#include "tests/libtorch/tape_programs_of.h"

namespace gb::tests::tape {

Lines libtorch_programs() { return Programs<LibTorchApi>().run(); }

}  // namespace gb::tests::tape
