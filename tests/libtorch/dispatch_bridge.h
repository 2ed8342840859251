// The bridge to LibTorch's dispatcher: its Player. No LibTorch type appears here, so that only
// dispatch_bridge.cc pays for its headers.
#pragma once

#include "tests/libtorch/random_dispatch_player.h"

namespace gb::tests::dispatch {

std::unique_ptr<Player> make_libtorch_player();

}  // namespace gb::tests::dispatch
