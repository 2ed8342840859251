// bazel run //labs:softmax-ladder [-- ROWS COLS]: on this processor, under the SIMT runner.
#include <cstdio>
#include <cstdlib>

#include "core/error.h"
#include "labs/softmax_ladder.h"

int main(int argc, char** argv) {
  const long rows = argc > 1 ? std::atol(argv[1]) : 2, cols = argc > 2 ? std::atol(argv[2]) : 600;
  if (rows < 1 || cols < 1 || rows * cols > 1'000'000) {
    std::fputs("softmax-ladder [ROWS COLS]: of a matrix with 1 to 1000000 elements\n", stderr);
    return 2;
  }
  try {
    std::fputs(gb::labs::softmax_ladder(rows, cols).c_str(), stdout);
  } catch (const gb::Error& e) {
    std::fprintf(stderr, "%s\n", e.what_without_backtrace());
    return 1;
  }
}
