// 300 random tape programs on both libraries. The seed of a failing one is in the message, with the program shrunk;
// `bazel run //tests/libtorch:random_tape -- --programs 10000` runs more.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/libtorch/random_tape_compare.h"

namespace gb::tests::tape {
namespace {

void check_programs(TapeArena& arena, uint64_t first_seed, const Size& size = Size()) {
  const Totals totals = play_programs(arena, first_seed, 150, size);
  CHECK_MESSAGE(totals.unexplained == 0, totals.first_failure);
  CHECK(totals.programs == totals.equal + totals.known);
  CHECK(totals.equal > totals.programs / 2);  // most programs meet no difference at all
}

TEST_CASE("random tape programs: both libraries answer alike, and meet many kinds of refusals") {
  TapeArena arena;
  check_programs(arena, 1);
  check_programs(arena, 1000001);
  CHECK(arena.refusals().size() > 10);
}

TEST_CASE("random tape programs that change sizes and strides in place") {
  TapeArena arena;
  check_programs(arena, 1, {.geometry = true});
}

TEST_CASE("a program is the same for the same seed") {
  CHECK(to_text(random_program(7, Size())) == to_text(random_program(7, Size())));
  CHECK(to_text(random_program(7, Size())) != to_text(random_program(8, Size())));
}

TEST_CASE("the shrinker leaves what makes a program fail") {
  const auto writes = [](const Program& program) {
    return std::any_of(program.statements.begin(), program.statements.end(),
                       [](const Statement& s) { return s.writes(); });
  };
  const Program program = random_program(1, {.statements = 60});
  REQUIRE(writes(program));
  const Program smallest = shrink(program, writes);
  CHECK(program.statements.size() > 50);
  CHECK(smallest.statements.size() == 1);
  CHECK(smallest.statements[0].writes());
}

}  // namespace
}  // namespace gb::tests::tape
