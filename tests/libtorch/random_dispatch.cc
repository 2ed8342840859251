// bazel run //tests/libtorch:random_dispatch -- --programs 10000 --seed 1: random registration programs on
// both dispatchers. The last line counts; the first unexplained difference is printed as the smallest program
// that shows it.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "tests/libtorch/random_dispatch_compare.h"

namespace {

constexpr const char* kUsage =
    "usage: random_dispatch [--programs N] [--seed N] [--steps N] [--quick] [--every-key-set]\n"
    "  --programs N  how many programs, default 1000\n"
    "  --seed N      of the first program, default 1; the next ones follow\n"
    "  --steps N     registrations and deregistrations per program, default 14\n"
    "  --quick       fewer calls per program\n"
    "  --every-key-set  at the end of each program also a call with every set of keys that a tensor of one "
    "backend may carry\n";

}  // namespace

int main(int argc, char** argv) {
  using namespace gb::tests::dispatch;
  size_t programs = 1000;
  uint64_t seed = 1;
  Size size;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    char* end = nullptr;
    const unsigned long long number = value ? std::strtoull(value, &end, 10) : 0;
    const bool has_number = value && *value && !*end;
    if (flag == "--quick") {
      size.calls_per_change = 1, size.calls_at_end = 10;
    } else if (flag == "--every-key-set") {
      size.every_key_set = true;
    } else if (flag == "--help") {
      fmt::print("{}", kUsage);
      return 0;
    } else if (has_number && (flag == "--programs" || flag == "--seed" || flag == "--steps")) {
      if (flag == "--programs") programs = number;
      if (flag == "--seed") seed = number;
      if (flag == "--steps") size.steps = static_cast<int>(number);
      ++i;
    } else {
      fmt::print(stderr, "random_dispatch: error: {} is not understood\n{}", flag, kUsage);
      return 2;
    }
  }
  Arena arena;
  const Totals totals = play_programs(arena, seed, programs, size);
  if (!totals.first_failure.empty())
    fmt::print("the first unexplained difference, shrunk:\n{}\n", totals.first_failure);
  for (const uint64_t failing : totals.failing_seeds)
    fmt::print("unexplained: --programs 1 --seed {}\n", failing);
  for (int i = 0; i < kNumKnown; ++i)
    fmt::print("known difference \"{}\": met by {} programs. {}\n", known_differences()[i].name,
               totals.known_programs[i], known_differences()[i].reason);
  fmt::print("programs {}, equal {}, known differences {}, unexplained {}\n", totals.programs, totals.equal,
             totals.known, totals.unexplained);
  return totals.unexplained == 0 ? 0 : 1;
}
