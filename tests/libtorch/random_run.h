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
// Ends with "programs N, equal E, known differences K, unexplained U". The program's exit status.
int report(const Totals& totals, std::span<const KnownDifference> known);

}  // namespace gb::tests
