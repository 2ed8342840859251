// Built with -DNDEBUG, as the wheel is.
#include "tests/libtorch/dispatch_bridge.h"

#include "tests/libtorch/dispatch_api_libtorch.h"
#include "tests/libtorch/random_dispatch_player_of.h"

namespace gb::tests::dispatch {
namespace {

struct Silent : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

}  // namespace

std::unique_ptr<Player> make_libtorch_player() {
  static Silent silent;
  c10::WarningUtils::set_warning_handler(&silent);
  return std::make_unique<PlayerOf<LibTorchApi>>();
}

}  // namespace gb::tests::dispatch
