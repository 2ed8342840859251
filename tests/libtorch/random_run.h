// What the programs that play random programs on both libraries share: the command line, the counts, and the last line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gb::tests {

// `--programs 100`: number. `--quick`: on.
struct Flag {
  const char* name;
  uint64_t* number = nullptr;
  bool* on = nullptr;
};
// Fills in the flags. False where the program is to end with `status`: help was asked for (0), or a flag not understood
// (2); both print the usage.
bool read_flags(int argc, char** argv, const char* program, const char* usage, std::span<const Flag> flags, int& status);

// Where the two libraries differ on purpose.
struct KnownDifference {
  const char* name;
  const char* reason;
};

struct Totals {
  size_t programs = 0, equal = 0, known = 0, unexplained = 0;
  std::vector<size_t> known_programs;  // that met each known difference
  std::vector<uint64_t> failing_seeds;
  std::string first_failure;  // the shrunk program and the verdict on it
};
// Plays the programs of these seeds, and shrinks the first that fails without a known reason. make(seed) is a program,
// play(program) the verdict on it; shrink() and to_text() are those of the program's own namespace.
template <class Make, class Play>
Totals play_seeds(uint64_t first_seed, size_t programs, size_t known_differences, const Make& make, const Play& play) {
  Totals totals;
  totals.known_programs.resize(known_differences);
  for (uint64_t seed = first_seed; seed < first_seed + programs; ++seed) {
    const auto program = make(seed);
    const auto verdict = play(program);
    ++totals.programs;
    for (size_t i = 0; i < known_differences; ++i) totals.known_programs[i] += verdict.known[i] > 0;
    if (verdict.unexplained.empty()) {
      ++(verdict.met_known() ? totals.known : totals.equal);
      continue;
    }
    ++totals.unexplained;
    totals.failing_seeds.push_back(seed);
    if (!totals.first_failure.empty()) continue;
    const auto smallest = shrink(program, [&](const auto& candidate) { return !play(candidate).unexplained.empty(); });
    totals.first_failure = to_text(smallest) + play(smallest).unexplained;
  }
  return totals;
}
// Ends with "programs N, equal E, known differences K, unexplained U". The program's exit status.
int report(const Totals& totals, std::span<const KnownDifference> known);

}  // namespace gb::tests
