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

TEST_CASE("programs that once met a difference which no row of the table explains") {
  TapeArena arena;
  for (const uint64_t seed : {35196, 53475, 60788, 66162, 68849, 69859}) {
    const Verdict verdict = arena.play(random_program(seed, Size()));
    CHECK(verdict.unexplained == "");
    CHECK(verdict.met_known());
  }
}

TEST_CASE("a refusal by LibTorch alone is excused only where a saved tensor would refuse in the same way") {
  Statement pass;
  pass.kind = Kind::kBackward, pass.operands = {1}, pass.inputs = {2};
  const std::string written = "modified by an inplace operation", released = "a second time",
                    view = "is a view and its base or another view of its base has been modified inplace";
  const auto is_excused = [&](const std::string& error, std::vector<std::string> unasked, std::vector<std::string> views) {
    Outcome ours, theirs;
    ours.unasked = std::move(unasked), ours.stale_views = std::move(views), theirs.error = error;
    return explained({pass, ours, theirs}).has_value();
  };
  CHECK_FALSE(is_excused(written, {}, {}));
  CHECK_FALSE(is_excused(written, {released}, {view}));
  CHECK(is_excused(written, {released, written}, {}));
  CHECK_FALSE(is_excused(view, {written}, {}));
  CHECK(is_excused(view, {}, {view}));
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
