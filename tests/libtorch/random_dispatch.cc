// bazel run //tests/libtorch:random_dispatch -- --programs 10000 --seed 1: random registration programs on
// both dispatchers. The last line counts; the first unexplained difference is printed as the smallest program
// that shows it.
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
  uint64_t programs = 1000, seed = 1, steps = 14;
  bool quick = false;
  Size size;
  const gb::tests::Flag flags[] = {{.name = "--programs", .number = &programs},
                                   {.name = "--seed", .number = &seed},
                                   {.name = "--steps", .number = &steps},
                                   {.name = "--quick", .on = &quick},
                                   {.name = "--every-key-set", .on = &size.every_key_set}};
  int status = 0;
  if (!gb::tests::read_flags(argc, argv, "random_dispatch", kUsage, flags, status)) return status;
  size.steps = static_cast<int>(steps);
  if (quick) size.calls_per_change = 1, size.calls_at_end = 10;
  Arena arena;
  return gb::tests::report(play_programs(arena, seed, programs, size), known_differences());
}
