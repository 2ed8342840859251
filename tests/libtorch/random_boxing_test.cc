// Random arguments and results arrive bit for bit, whichever way the box is crossed, and as in LibTorch.
// GB_TEST_SEED=N starts elsewhere, GB_TEST_ROUNDS=N runs longer.
#include "tests/dice.h"
#include "tests/libtorch/random_boxing.h"

#include <doctest/doctest.h>

namespace gb::tests::boxing {
namespace {

TEST_CASE("random arguments and results cross the box unchanged, here and in LibTorch") {
  const uint64_t first = from_environment("GB_TEST_SEED", 1),
                 rounds = from_environment("GB_TEST_ROUNDS", 200);
  for (uint64_t seed = first; seed < first + rounds; ++seed) {
    const std::vector<Crossing> ours = cross_glassbox(seed), theirs = cross_libtorch(seed);
    REQUIRE(ours.size() == theirs.size());
    CHECK(ours.size() == 14 * 4);
    for (size_t i = 0; i < ours.size(); ++i) {
      INFO("seed ", seed, ": ", ours[i].what);
      CHECK(ours[i].received == ours[i].sent);
      CHECK(ours[i].arrived == ours[i].returned);
      CHECK(ours[i].sent == theirs[i].sent);
      CHECK(ours[i].received == theirs[i].received);
      CHECK(ours[i].returned == theirs[i].returned);
      CHECK(ours[i].arrived == theirs[i].arrived);
    }
  }
}

}  // namespace
}  // namespace gb::tests::boxing
