// Skipping a test case at run time, for what only shows then: no GPU, no such instruction set, no LibTorch.
//
// doctest has no such thing: a test case that returns early counts as passed, and green would hide it.
// GB_SKIP prints "SKIPPED: <test case>: <reason>", and tests/main.cc counts the case as skipped in the
// closing line. The case must not have failed before: a failed case stays failed. GB_SKIP returns from the
// function it stands in, so write it in the test case itself and not in a helper. Tests that may skip carry
// the Bazel tag "external", or a skip is cached as a pass.
#pragma once

#include <string>

namespace gb::tests {

// Records that the running test case skips itself, and prints the line that //tests:what_ran reads.
void record_skip(const std::string& reason);

}  // namespace gb::tests

#define GB_SKIP(reason)               \
  do {                                \
    ::gb::tests::record_skip(reason); \
    return;                           \
  } while (false)
