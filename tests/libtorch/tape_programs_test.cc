// The same small autograd programs on glassbox and LibTorch: grad_fn names, versions, flags, values, gradients, and the
// words of refusals, line by line.
#include "tests/libtorch/tape_programs.h"

#include <doctest/doctest.h>

#include <algorithm>

TEST_CASE("tape programs: glassbox says what LibTorch says") {
  const auto ours = gb::tests::tape::glassbox_programs(), theirs = gb::tests::tape::libtorch_programs();
  std::string program;
  for (size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (theirs[i].starts_with("-- ")) program = theirs[i];
    CAPTURE(program);
    CHECK(ours[i] == theirs[i]);
  }
  CHECK(ours.size() == theirs.size());
}
