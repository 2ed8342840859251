// bazel run //labs:softmax-ladder [-- ROWS COLS], bazel run //labs:linear-ladder [-- ROWS IN float32|bfloat16]: on this
// processor, under the SIMT runner.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "labs/ladders.h"

int main(int argc, char** argv) {
  const bool linear = argc > 1 && std::string_view(argv[1]) == "linear";  // the rule's own argument
  const long rows = argc > 2 ? std::atol(argv[2]) : 2, cols = argc > 3 ? std::atol(argv[3]) : linear ? 64 : 600;
  const std::string_view dtype = argc > 4 ? argv[4] : "bfloat16";
  if (rows < 1 || cols < 1 || rows * cols > 1'000'000 || (dtype != "float32" && dtype != "bfloat16")) {
    std::fputs("softmax-ladder [ROWS COLS], linear-ladder [ROWS IN float32|bfloat16]: up to 1000000 elements\n", stderr);
    return 2;
  }
  try {
    const std::string text = linear ? gb::labs::linear_ladder(dtype == "float32" ? gb::kFloat : gb::kBFloat16, rows, cols)
                                    : gb::labs::softmax_ladder(rows, cols);
    std::fputs(text.c_str(), stdout);
  } catch (const gb::Error& e) {
    std::fprintf(stderr, "%s\n", e.what_without_backtrace());
    return 1;
  }
}
