#include "tests/libtorch/random_run.h"

#include <fmt/format.h>

#include <cstdlib>

namespace gb::tests {

bool read_flags(int argc, char** argv, const char* program, const char* usage, std::span<const Flag> flags,
                int& status) {
  for (int i = 1; i < argc; ++i) {
    const std::string given = argv[i];
    if (given == "--help") {
      fmt::print("{}", usage);
      status = 0;
      return false;
    }
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    char* end = nullptr;
    const unsigned long long number = value ? std::strtoull(value, &end, 10) : 0;
    const bool has_number = value && *value && !*end;
    bool understood = false;
    for (const Flag& flag : flags) {
      if (given != flag.name || (flag.number && !has_number)) continue;
      understood = true;
      if (flag.on) *flag.on = true;
      if (flag.number) *flag.number = number, ++i;
      break;
    }
    if (understood) continue;
    fmt::print(stderr, "{}: error: {} is not understood\n{}", program, given, usage);
    status = 2;
    return false;
  }
  return true;
}

int report(const Totals& totals, std::span<const KnownDifference> known) {
  if (!totals.first_failure.empty())
    fmt::print("the first unexplained difference, shrunk:\n{}\n", totals.first_failure);
  for (const uint64_t failing : totals.failing_seeds) fmt::print("unexplained: --programs 1 --seed {}\n", failing);
  for (size_t i = 0; i < known.size(); ++i)
    fmt::print("known difference \"{}\": met by {} programs. {}\n", known[i].name, totals.known_programs[i],
               known[i].reason);
  fmt::print("programs {}, equal {}, known differences {}, unexplained {}\n", totals.programs, totals.equal,
             totals.known, totals.unexplained);
  return totals.unexplained == 0 ? 0 : 1;
}

}  // namespace gb::tests
