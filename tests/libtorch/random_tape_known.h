// The table of the places where the two libraries differ on purpose.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tests/libtorch/random_run.h"
#include "tests/libtorch/random_tape_player.h"

namespace gb::tests::tape {

// One statement and what each side did.
struct Step {
  const Statement& statement;
  const Outcome &ours, &theirs;
};

std::span<const KnownDifference> known_differences();

struct Explanation {
  size_t row;          // of that table
  bool ends_program;  // the two are in different states now
};
// What a step did on both sides, where it is a known difference. Asked of every step: that the two are in different
// states need not show at once.
std::optional<Explanation> explained(const Step& step);

}  // namespace gb::tests::tape
