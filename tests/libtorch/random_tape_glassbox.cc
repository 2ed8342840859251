#include "tests/libtorch/random_tape_player_of.h"
#include "tests/libtorch/random_tape_saved.h"
#include "tests/libtorch/tape_api_glassbox.h"

namespace gb::tests::tape {
namespace {

struct Api : GlassboxApi {
  static void look_at_saved(const std::vector<Tensor>& roots, const std::vector<Tensor>& inputs, bool accumulate,
                            Outcome& outcome) {
    tape::look_at_saved(roots, inputs, accumulate, outcome);
  }
};

}  // namespace

std::unique_ptr<TapePlayer> make_glassbox_tape_player() { return std::make_unique<PlayerOf<Api>>(); }

}  // namespace gb::tests::tape
