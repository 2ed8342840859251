// Built with -DNDEBUG, as the wheel is.
#include "tests/libtorch/random_tape_player_of.h"
#include "tests/libtorch/tape_api_libtorch.h"

namespace gb::tests::tape {

std::unique_ptr<TapePlayer> make_libtorch_tape_player() { return std::make_unique<PlayerOf<LibTorchApi>>(); }

}  // namespace gb::tests::tape
