// bazel run //tests/libtorch:random_tape -- --programs 10000 --seed 1: random tape programs on both libraries. The last
// line counts; the first unexplained difference is printed as the smallest program that shows it.
#include <fmt/format.h>

#include "tests/libtorch/random_tape_compare.h"

namespace {

constexpr const char* kUsage =
    "usage: random_tape [--programs N] [--seed N] [--statements N] [--geometry] [--print] [--refusals]\n"
    "  --programs N    how many programs, default 1000\n"
    "  --seed N        of the first program, default 1; the next ones follow\n"
    "  --statements N  per program, default 24\n"
    "  --geometry      with t_, squeeze_ and their like\n"
    "  --print         prints the programs, and plays none\n"
    "  --refusals      counts the refused statements by the reason\n";

}  // namespace

int main(int argc, char** argv) {
  using namespace gb::tests::tape;
  uint64_t programs = 1000, seed = 1, statements = 24;
  bool geometry = false, print = false, refusals = false;
  const gb::tests::Flag flags[] = {{.name = "--programs", .number = &programs},
                                   {.name = "--seed", .number = &seed},
                                   {.name = "--statements", .number = &statements},
                                   {.name = "--geometry", .on = &geometry},
                                   {.name = "--print", .on = &print},
                                   {.name = "--refusals", .on = &refusals}};
  int status = 0;
  if (!gb::tests::read_flags(argc, argv, "random_tape", kUsage, flags, status)) return status;
  const Size size{.statements = static_cast<int>(statements), .geometry = geometry};
  if (print) {
    for (uint64_t i = 0; i < programs; ++i) fmt::print("{}", to_text(random_program(seed + i, size)));
    return 0;
  }
  TapeArena arena;
  const gb::tests::Totals totals = play_programs(arena, seed, programs, size);
  if (refusals)
    for (const auto& [kind, count] : arena.refusals()) fmt::print("refused {} times: {}\n", count, kind);
  return gb::tests::report(totals, known_differences());
}
