#include "tests/libtorch/random_tape_known.h"

#include <array>

#include "tests/libtorch/random_tape_errors.h"

namespace gb::tests::tape {
namespace {

struct Row {
  KnownDifference known;
  bool (*explains)(const Step& step, const Difference& difference);
};

const Row kRows[] = {
    {{"refused before writing",
      "LibTorch writes to an inference tensor before it refuses to; glassbox refuses first (the player puts the values "
      "back, and the program goes on)"},
     [](const Step& step, const Difference& difference) {
       return !difference.ours && step.theirs.wrote_first && !step.ours.wrote_first &&
              kind_of_error(step.ours.error) == kind_of_error(step.theirs.error);
     }},
};

}  // namespace

std::span<const KnownDifference> known_differences() {
  static const auto table = [] {
    std::array<KnownDifference, std::size(kRows)> all{};
    for (size_t i = 0; i < all.size(); ++i) all[i] = kRows[i].known;
    return all;
  }();
  return table;
}

std::optional<size_t> explained(const Step& step, const Difference& difference) {
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (kRows[i].explains(step, difference)) return i;
  return std::nullopt;
}

}  // namespace gb::tests::tape
