#include "core/warning.h"
#include "tests/libtorch/dispatch_api_glassbox.h"
#include "tests/libtorch/random_dispatch_player_of.h"

namespace gb::tests::dispatch {
namespace {

struct Silent : WarningHandler {
  void process(const Warning&) override {}
};

}  // namespace

std::unique_ptr<Player> make_glassbox_player() {
  static Silent silent;
  gb::WarningUtils::set_warning_handler(&silent);
  return std::make_unique<PlayerOf<GlassboxApi>>();
}

}  // namespace gb::tests::dispatch
