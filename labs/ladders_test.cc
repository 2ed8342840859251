#include "labs/ladders.h"

#include <doctest/doctest.h>

#include <regex>

#include "tests/golden.h"

namespace {

// Lines of sources move; the rest of the trace is held.
std::string without_lines(const std::string& text) {
  return std::regex_replace(text, std::regex(":[0-9]+(?=[,\n ]|$)"), ":N");
}

}  // namespace

TEST_CASE("gb::softmax reaches every rung of the ladder through the table") {
  gb::tests::check_golden("labs/testdata/softmax_ladder.golden", without_lines(gb::labs::softmax_ladder(2, 600)));
}

TEST_CASE("gb::linear and the products of its backward reach every rung of the ladder through the table") {
  gb::tests::check_golden("labs/testdata/linear_ladder.golden",
                          without_lines(gb::labs::linear_ladder(gb::kFloat, 2, 64)) + "\n---- bfloat16\n\n" +
                              without_lines(gb::labs::linear_ladder(gb::kBFloat16, 2, 64)));
}
