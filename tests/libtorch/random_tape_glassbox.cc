#include "tests/libtorch/random_tape_player_of.h"
#include "tests/libtorch/tape_api_glassbox.h"

namespace gb::tests::tape {

std::unique_ptr<TapePlayer> make_glassbox_tape_player() { return std::make_unique<PlayerOf<GlassboxApi>>(); }

}  // namespace gb::tests::tape
