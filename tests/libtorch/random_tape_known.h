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

// What differs after a step: what the two sides did, or what can be seen of one value.
struct Difference {
  std::string text;                // which fact, and both answers
  const Facts* ours = nullptr;     // of the value; null where it is the outcome that differs, or the value is not there
  const Facts* theirs = nullptr;
};

std::span<const KnownDifference> known_differences();
// The position in that table of the difference that explains it.
std::optional<size_t> explained(const Step& step, const Difference& difference);

}  // namespace gb::tests::tape
