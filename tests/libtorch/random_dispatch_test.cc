// 300 random registration programs on both dispatchers. The seed of a failing one is in the message, with the
// program shrunk; `bazel run //tests/libtorch:random_dispatch -- --programs 10000` runs more.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/libtorch/random_dispatch_compare.h"

namespace gb::tests::dispatch {
namespace {

void check_programs(Arena& arena, uint64_t first_seed) {
  const Totals totals = play_programs(arena, first_seed, 150, Size());
  CHECK_MESSAGE(totals.unexplained == 0, totals.first_failure);
  CHECK(totals.programs == totals.equal + totals.known);
  CHECK(totals.equal > totals.programs / 3);  // most programs meet no difference at all
}

TEST_CASE("random registration programs: both dispatchers answer alike") {
  Arena arena;
  SUBCASE("seed 1") { check_programs(arena, 1); }
  SUBCASE("seed 1000001") { check_programs(arena, 1000001); }
}

TEST_CASE("every set of keys that a tensor of one backend may carry is served alike") {
  Arena arena;
  Size size;
  size.every_key_set = true;
  const Totals totals = play_programs(arena, 4711, 2, size);
  CHECK_MESSAGE(totals.unexplained == 0, totals.first_failure);
}

TEST_CASE("the shrinker leaves what makes a program fail") {
  Arena arena;
  Program program = random_program(5, arena.keys(), Size());
  const size_t actions = program.actions.size();
  const auto is_def = [](const Action& action) {
    return std::holds_alternative<Step>(action) && std::get<Step>(action).kind == Step::kDef;
  };
  const Program smallest = shrink(program, [&](const Program& candidate) {
    return std::any_of(candidate.actions.begin(), candidate.actions.end(), is_def);
  });
  CHECK(actions > 50);
  CHECK(smallest.actions.size() == 1);
  CHECK(to_text(smallest).find("def ") != std::string::npos);
}

}  // namespace
}  // namespace gb::tests::dispatch
