#include "labs/softmax_ladder.h"

#include <doctest/doctest.h>

#include <regex>

#include "tests/golden.h"

// Lines of sources move; the rest of the trace is held.
TEST_CASE("gb::softmax reaches every rung of the ladder through the table") {
  const std::string text = gb::labs::softmax_ladder(2, 600);
  gb::tests::check_golden("labs/testdata/softmax_ladder.golden", std::regex_replace(text, std::regex(":[0-9]+(?=[,\n ]|$)"), ":N"));
}
